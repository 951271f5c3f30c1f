"""Pages as a browser asks for them."""

from django.test import Client


def get(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, path: str, sent: dict[str, object], status: int = 200) -> str:
    response = client.post(path, sent)
    assert response.status_code == status
    return response.content.decode()
