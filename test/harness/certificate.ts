/**
 * A certificate for `localhost` that signed itself, and its key: for tests of TLS only. Valid until 2126; made with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost`.
 */
export const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUZo/s6g0xGLxhCD9ykJ5xgZQh6ZYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzExMTQ1M1oYDzIxMjYxMTAz
MTExNDUzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQoP2wDW99n/nsjUKub7z9IJc25QEVVrfO4INqbRO24eBUUkCFjzcfw
svTCXhslTnVAsVXLq4XblVgUklc7Zs/5o1MwUTAdBgNVHQ4EFgQUgZ5i0Fy/HKwj
N7iKelFT0NoDMAQwHwYDVR0jBBgwFoAUgZ5i0Fy/HKwjN7iKelFT0NoDMAQwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAV3WLdqGdR5FRzAC3lu3vo
kslq72RRQY/DSz1+m1GxmAIgTof+sEnOHzs21oNi0LNqeF+P4Gh3h7AcvzIxQsrQ
s1I=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdGtCrKSPAGD+ynvY
gl4Y0o4N2IwiuHexpVttYvT1GwqhRANCAAQoP2wDW99n/nsjUKub7z9IJc25QEVV
rfO4INqbRO24eBUUkCFjzcfwsvTCXhslTnVAsVXLq4XblVgUklc7Zs/5
-----END PRIVATE KEY-----
`,
}
