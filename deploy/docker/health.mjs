// Health check of the image: ends with 0 if the server in this container answers /healthz, else with 1.
import { get } from 'node:http'
import { get as getOverTls } from 'node:https'

const { SLUICE_SERVE_PORT = '7400', SLUICE_SERVE_TLS_CERT = '' } = process.env
const options = {
  host: '127.0.0.1',
  port: SLUICE_SERVE_PORT,
  path: '/healthz',
  timeout: 4000,
  // The certificate is for the name that clients use.
  rejectUnauthorized: false,
}
const sent = (SLUICE_SERVE_TLS_CERT === '' ? get : getOverTls)(options, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1)
})
sent.on('timeout', () => sent.destroy()).on('error', () => process.exit(1))
