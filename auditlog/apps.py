from django.apps import AppConfig


class AuditLogConfig(AppConfig):
    name = "auditlog"
