"""How `manage.py up` starts the server and stops it."""
