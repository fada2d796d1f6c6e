"""Authentication for the test server: the bearer token is the user."""

from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def signed_in(authorization: str | None) -> str:
    """The user's id, or a refusal."""
    if not authorization:
        raise Auth.exceptions.HTTPException(status_code=401, detail="Sign in.")
    return authorization.removeprefix("Bearer ")
