/**
 * Self-signed certificate for `localhost` with its private key, for tests of TLS only. Valid until 2126. Made with
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

/**
 * A second self-signed certificate with another key, which replaces the first one when a test renews it. Valid for
 * `localhost` and 127.0.0.1; made like the first one with `-addext` for the two names.
 */
export const renewed = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCAT2gAwIBAgIUHA4g8849NYes3JRd4cx6BPKYs+gwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHcmVuZXdlZDAgFw0yNjExMjkxMDQ2MjRaGA8yMTI2MTEwNTEw
NDYyNFowEjEQMA4GA1UEAwwHcmVuZXdlZDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABL2KfgFkDJ97GoseYqb6uUlWkpzoT6DagaUPSFgWcTT/lGWLgfukYbLFWYNv
bIxKAC3rs3LfR3jdC/l+o6tMOfqjbzBtMB0GA1UdDgQWBBTb/8OjlE0rta7tVPNb
OmSyjLMy2DAfBgNVHSMEGDAWgBTb/8OjlE0rta7tVPNbOmSyjLMy2DAPBgNVHRMB
Af8EBTADAQH/MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQD
AgNHADBEAiAxcM5+ZEsRbk78wdXO6wBWlWF0MYMXvliHZDsOO4wVOwIgeudl5Ihw
hJ9TWU/RbuWNAuuajyLABbrEQZRsx/mfIXI=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgR2kSZ7zFRGJwCcJN
n36bomSTJa55xPKxWYuqppuCPy+hRANCAAS9in4BZAyfexqLHmKm+rlJVpKc6E+g
2oGlD0hYFnE0/5Rli4H7pGGyxVmDb2yMSgAt67Ny30d43Qv5fqOrTDn6
-----END PRIVATE KEY-----
`,
}
