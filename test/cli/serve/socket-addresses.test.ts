import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forwardAddresses, syslogAddresses } from '../../../src/cli/serve/socket-addresses.ts'

test('addresses of syslog and of the forward protocol', () => {
  expect(syslogAddresses('udp://127.0.0.1:5514?tz=%2B02:00, tcp://[::1]:5514?backend=b')).toEqual([
    { transport: 'udp', host: '127.0.0.1', port: 5514, zone: '+02:00' },
    { transport: 'tcp', host: '::1', port: 5514, backend: 'b' },
  ])
  expect(forwardAddresses('127.0.0.1:24224,tls://0.0.0.0:24225?open-to=everyone')).toEqual([
    { transport: 'tcp', host: '127.0.0.1', port: 24224 },
    { transport: 'tls', host: '0.0.0.0', port: 24225, openTo: 'everyone' },
  ])
})

test('the shared key comes from a file, and is never empty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-key-'))
  try {
    const file = join(folder, 'key')
    writeFileSync(file, 'secret\n')
    expect(forwardAddresses(`localhost:1?shared-key=${file}`)).toMatchObject([{ sharedKey: 'secret' }])
    writeFileSync(file, '\n')
    expect(() => forwardAddresses(`localhost:1?shared-key=${file}`)).toThrow('--forward finds no shared key in')
    expect(() => forwardAddresses(`localhost:1?shared-key=${file}.none`)).toThrow('--forward cannot read the file')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['udp://127.0.0.1:24224', '--forward needs an address of tcp or tls with a port, such as tcp://127.0.0.1:24224'],
  ['127.0.0.1', '--forward needs an address'],
  ['127.0.0.1:1?keys=x', '--forward does not know `keys`; it knows backend, tz, cert, key, ca, open-to, shared-key'],
  ['127.0.0.1:1?tz=Mars', '--forward needs a zone such as'],
  ['127.0.0.1:1?open-to=me', '--forward takes `open-to=everyone` only'],
])('%s is refused in words', (text, message) => {
  expect(() => forwardAddresses(text)).toThrow(message)
})
