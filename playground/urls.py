from django.urls import path

from playground.views import errors, health, signin

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.server_error

urlpatterns = [
    path("signin", signin.explain, name="signin"),
    path("signin/<str:uid>/<str:token>", signin.follow, name="signin-link"),
    path("signout", signin.leave, name="signout"),
    path("healthz", health.health, name="health"),
]
