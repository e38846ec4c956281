// @module-tag slow
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certificate, renewed } from '../../harness/certificate.ts'
import { startServer, type ServerProcess } from '../../harness/server-process.ts'
import { run, runOn } from '../terminal.ts'

let folder: string
let files: { readonly cert: string; readonly key: string }
let server: ServerProcess | undefined

function put({ cert, key }: { readonly cert: string; readonly key: string }): void {
  for (const [path, text] of [
    [files.cert, cert],
    [files.key, key],
  ] as const) {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-serve-tls-'))
  files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
  put(certificate)
})

afterEach(async () => {
  await server?.kill()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function servedName(address: string): Promise<unknown> {
  const socket = connect({
    port: Number(new URL(address).port),
    servername: 'localhost',
    ca: [certificate.cert, renewed.cert],
  })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return subject.CN
}

test('serve prints https addresses, and SIGHUP reads the certificate again', async () => {
  server = await startServer(['--tls-cert', files.cert, '--tls-key', files.key, '--otlp-grpc', '0'])
  expect(server.address).toMatch(/^https:/)
  expect(await server.told(/^curl .*$/m)).toContain(`curl -s ${server.address}/api/logs`)
  expect(await server.told(/^OTLP over gRPC and TLS: .*$/m)).toMatch(/127\.0\.0\.1:\d+$/)
  expect(await servedName(server.address)).toBe('localhost')
  const { address, child } = server
  writeFileSync(files.cert, 'nonsense')
  child.kill('SIGHUP')
  await expect.poll(() => server?.errors()).toContain('the new certificate is not served, the one from before still is')
  expect(await servedName(address)).toBe('localhost')
  put(renewed)
  child.kill('SIGHUP')
  await expect.poll(() => servedName(address)).toBe('renewed')
  expect(await server.stop()).toBe(0)
})

test('the link to the console begins with https', async () => {
  const abort = new AbortController()
  let output = ''
  const { code } = await runOn(
    {
      signal: abort.signal,
      write: async (text) => {
        output += String(text)
        if (output.includes('curl')) abort.abort()
      },
    },
    'serve',
    '--port',
    '0',
    '--workers',
    '0',
    '--tls-cert',
    files.cert,
    '--tls-key',
    files.key,
  )
  expect(code).toBe(0)
  const console = /^Console.*$/m.exec(output)?.[0]
  // The link is printed only if the console has been built.
  if (console !== undefined) expect(console).toContain('https://127.0.0.1:')
  expect(output).toContain('Sluice listens on https://127.0.0.1:')
})

test('half of the options, and files that cannot be served, are wrong use that changes nothing', async () => {
  const data = join(folder, 'data')
  expect(await run('serve', '--data', data, '--tls-cert', files.cert)).toEqual({
    code: 2,
    out: '',
    error: '--tls-cert goes with --tls-key, the file of its private key.\n',
  })
  expect(await run('serve', '--data', data, '--tls-key', files.key)).toEqual({
    code: 2,
    out: '',
    error: '--tls-key goes with --tls-cert, the file of the certificate.\n',
  })
  writeFileSync(files.key, renewed.key)
  expect(await run('serve', '--data', data, '--tls-cert', files.cert, '--tls-key', files.key)).toEqual({
    code: 2,
    out: '',
    error: `The file ${files.key} cannot be used for TLS: it is not the key of the certificate in ${files.cert}.\n`,
  })
  expect(existsSync(data)).toBe(false)
})

test('the options are read from the environment too', async () => {
  const env = { XDG_CONFIG_HOME: '/nowhere', SLUICE_SERVE_TLS_CERT: files.cert }
  expect(await runOn({ env }, 'serve')).toMatchObject({
    code: 2,
    error: expect.stringContaining('goes with --tls-key'),
  })
})
