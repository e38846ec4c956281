import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createNetServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Reported } from '../../src/cli/doctor/report.ts'
import { createServer } from '../../src/server/index.ts'
import { crc32 } from '../../src/system/index.ts'
import { certificate, renewed } from '../harness/certificate.ts'
import { runOn, type Ran } from './terminal.ts'

let folder: string
let data: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'))
  data = join(folder, 'data')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NOW_NS = BigInt(Date.UTC(2027, 2, 10)) * 1_000_000n

/** A key that no check objects to, and a configuration folder that does not exist. */
const env = { XDG_CONFIG_HOME: '/nowhere', SLUICE_API_KEY: 'a-key-that-nobody-guesses-0123456789' }

function doctor(args: readonly string[], given: Readonly<Record<string, string>> = {}, nowNs = NOW_NS): Promise<Ran> {
  return runOn({ env: { ...env, ...given }, nowNs: () => nowNs }, 'doctor', '--port', '0', ...args)
}

/** Returns the findings of a check that are not `ok`, as `status: message`, and the exit code. */
async function told(check: string, args: readonly string[], given?: Readonly<Record<string, string>>, nowNs?: bigint) {
  const { code, out, error } = await doctor([...args, '--format', 'json'], given, nowNs)
  expect(error).toBe('')
  const { checks, problems } = JSON.parse(out) as { readonly checks: readonly Reported[]; readonly problems: number }
  expect(code).toBe(problems > 0 ? 1 : 0)
  const found = checks.filter((each) => each.check === check)
  expect(found.length).toBeGreaterThan(0)
  for (const { status, fix } of found) expect((fix ?? '') === '').toBe(status === 'ok')
  return found.filter(({ status }) => status !== 'ok').map(({ status, message }) => `${status}: ${message}`)
}

/** Creates a data folder as a server leaves it. */
async function makeData(): Promise<void> {
  const server = await createServer({ data })
  await server.loaded
  await server.close()
}

test('a set-up without faults has a line for each check, and exit code 0', async () => {
  await makeData()
  const { code, out } = await doctor(['--data', data])
  expect(out.split('\n').map((line) => line.slice(0, 22).trim())).toEqual([
    'ok       versions',
    'ok       versions',
    'ok       configuration',
    'ok       clock',
    expect.stringMatching(/ limits$/),
    'ok       memory',
    'ok       data folder',
    expect.stringMatching(/ disk$/),
    'ok       keys',
    'ok       certificate',
    'ok       ports',
    '',
    '0 problems, 0 warnings',
    '',
  ])
  expect(code).toBe(0)
})

test('nothing is made or changed', async () => {
  expect(await doctor(['--data', data])).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual([])
  await makeData()
  const files = (): readonly string[] =>
    readdirSync(data).map((name) => `${name} ${readFileSync(join(data, name), 'hex')}`)
  const before = files()
  await doctor(['--data', data])
  expect(files()).toEqual(before)
})

test('wrong use ends with a sentence and exit code 2', async () => {
  expect(await doctor(['--workers', 'many'])).toEqual({
    code: 2,
    out: '',
    error: '--workers needs a number from 0 to 256, not `many`.\n',
  })
  expect(await doctor(['--format', 'xml'])).toMatchObject({ code: 2, out: '' })
  expect(await doctor(['--no-such-option'])).toMatchObject({ code: 2, out: '' })
  expect(await doctor([], { SLUICE_SERVE_MEMORY: 'lots' })).toMatchObject({ code: 2, out: '' })
})

test('options are those that serve would have', async () => {
  expect(await told('data folder', [], { SLUICE_SERVE_DATA: data })).toEqual([])
  const config = join(folder, 'config.yaml')
  writeFileSync(config, `serve:\n  data: ${data}\n`)
  expect(await told('data folder', [], { SLUICE_CONFIG: config })).toEqual([])
  expect(await told('data folder', ['--data', config], { SLUICE_CONFIG: config })).toEqual([
    `problem: ${config} is not a folder.`,
  ])
})

describe('configuration', () => {
  test.each([
    ['serve: [', 'is not YAML'],
    ['serve:\n  prot: 1\n', '`serve` has no option `prot`. Did you mean `port`?'],
    ['sreve:\n  port: 1\n', 'there is no command `sreve`'],
    ['- port\n', 'is not a map of options and commands'],
  ])('%j is a problem', async (text, message) => {
    const config = join(folder, 'config.yaml')
    writeFileSync(config, text)
    expect(await told('configuration', [], { SLUICE_CONFIG: config })).toEqual([expect.stringContaining(message)])
  })

  test('a named file that is missing is a problem', async () => {
    const config = join(folder, 'nowhere.yaml')
    expect(await told('configuration', [], { SLUICE_CONFIG: config })).toEqual([
      expect.stringContaining(`problem: The configuration ${config} cannot be read`),
    ])
  })

  test('a variable that no option reads is a warning', async () => {
    const { code, out } = await doctor([], { SLUICE_SERVE_PROT: '1' })
    expect(out).toContain('The variable SLUICE_SERVE_PROT belongs to no option and is not read.')
    expect(out).toContain('Remove it, or write SLUICE_SERVE_PORT.')
    expect(code).toBe(0)
  })
})

describe('clock', () => {
  test('a time before the first release is a problem', async () => {
    expect(await told('clock', [], {}, 0n)).toEqual([
      'problem: The clock says 1970-01-01T00:00:00Z, a time before the first release of Sluice.',
    ])
  })

  test('a time before the last change of the data folder is a problem', async () => {
    await makeData()
    const seconds = Number(NOW_NS / 1_000_000_000n) + 3600
    utimesSync(join(data, 'manifest.log'), seconds, seconds)
    expect(await told('clock', ['--data', data])).toEqual([
      'problem: The clock says 2027-03-10T00:00:00Z, 3600 s before the last change of the data folder.',
    ])
  })
})

describe('memory', () => {
  test('more than the machine has is a problem, too little for a worker too', async () => {
    expect(await told('memory', ['--memory', '900TiB'])).toEqual([
      expect.stringMatching(/^problem: Sluice would use up to 900\.0 TiB, but the machine or its container has/),
    ])
    expect(await told('memory', ['--memory', '1MiB'])).toEqual([
      expect.stringMatching(/^problem: The memory of the server, 1 MiB, is too little/),
    ])
  })
})

describe('data folder', () => {
  test('of a newer version is a problem that names both', async () => {
    await makeData()
    const { checksum: _, ...marker } = JSON.parse(readFileSync(join(data, 'sluice.json'), 'utf8')) as {
      checksum: number
    }
    const newer = { ...marker, format: 2 }
    writeFileSync(join(data, 'sluice.json'), JSON.stringify({ ...newer, checksum: crc32(JSON.stringify(newer)) }))
    expect(await told('data folder', ['--data', data])).toEqual([
      'problem: The data folder has version 2; this release knows versions up to 1.',
    ])
  })

  test('with a damaged log is a problem', async () => {
    await makeData()
    writeFileSync(join(data, 'manifest.head'), 'nonsense')
    expect(await told('data folder', ['--data', data])).toEqual([
      expect.stringContaining('problem: The data folder is damaged'),
    ])
  })

  test('with files of something else, and open to others, is a warning', async () => {
    mkdirSync(data)
    writeFileSync(join(data, 'notes.txt'), '')
    chmodSync(data, 0o755)
    expect(await told('data folder', ['--data', data])).toEqual([
      `warning: The folder ${data} has files, but none of Sluice.`,
      `warning: Others can list the folder ${data} (mode 755); its files are their owner's alone.`,
    ])
  })

  test('without one, data is lost', async () => {
    expect(await told('data folder', [])).toEqual([
      'warning: Without --data everything that is sent is lost when the server stops.',
    ])
  })
})

test('a disk with less than its reserve is a problem', async () => {
  expect(await told('disk', ['--data', data, '--disk-reserve', '900TiB'])).toEqual([
    expect.stringMatching(/^problem: The disk of .* free; ingest leaves 900\.0 TiB of it, so senders get 507\.$/),
  ])
})

describe('keys', () => {
  test('that nobody has, or that can be guessed, are warnings', async () => {
    expect(await told('keys', [], { SLUICE_API_KEY: '' })).toEqual([expect.stringContaining('each start makes a key')])
    expect(await told('keys', [], { SLUICE_API_KEY: 'abc' })).toEqual([expect.stringContaining('could be guessed')])
  })

  test('of a file are checked for damage, mode and roles', async () => {
    const file = join(folder, 'keys.json')
    expect(await told('keys', ['--keys', file])).toEqual([expect.stringMatching(/^problem: .*cannot be read/)])
    expect((await runOn({ env }, 'keys', 'add', '--keys', file, '--roles', 'read')).code).toBe(0)
    chmodSync(file, 0o644)
    expect(await told('keys', ['--keys', file])).toEqual([
      expect.stringContaining('(mode 644)'),
      expect.stringMatching(/^warning: No key of .* has the role /),
    ])
    writeFileSync(file, readFileSync(file, 'utf8').replace('"roles":["read"]', '"roles":["write"]'))
    expect(await told('keys', ['--keys', file])).toEqual([expect.stringContaining('does not match its checksum')])
  })
})

describe('certificate', () => {
  const cert = (): string => join(folder, 'tls.crt')
  const key = (): string => join(folder, 'tls.key')

  beforeEach(() => {
    writeFileSync(cert(), renewed.cert)
    writeFileSync(key(), renewed.key, { mode: 0o600 })
  })

  test('its names are told', async () => {
    const { out } = await doctor(['--tls-cert', cert(), '--tls-key', key()])
    expect(out).toContain('It is for DNS:localhost, IP Address:127.0.0.1.')
  })

  test.each([
    ['ended', Date.UTC(2130, 0, 1), /^problem: The certificate .* ended on 2126-/],
    ['ends soon', Date.UTC(2126, 10, 1), /^warning: The certificate .* less than 21 days\.$/],
    ['begins later', Date.UTC(2026, 5, 1), /^problem: The certificate .* is valid from 2026-11-/],
  ])('that %s is told', async (_, nowMs, message) => {
    const args = ['--tls-cert', cert(), '--tls-key', key()]
    expect(await told('certificate', args, {}, BigInt(nowMs) * 1_000_000n)).toEqual([expect.stringMatching(message)])
  })

  test('without names, with an open key, half given or unusable', async () => {
    expect(await told('certificate', ['--tls-cert', cert()])).toEqual([
      'problem: Of --tls-cert and --tls-key only one is given.',
    ])
    writeFileSync(cert(), certificate.cert)
    expect(await told('certificate', ['--tls-cert', cert(), '--tls-key', key()])).toEqual([
      expect.stringContaining('it is not the key of the certificate'),
    ])
    writeFileSync(key(), certificate.key)
    chmodSync(key(), 0o644)
    expect(await told('certificate', ['--tls-cert', cert(), '--tls-key', key()])).toEqual([
      expect.stringContaining('names no host'),
      expect.stringContaining('(mode 644)'),
    ])
  })
})

describe('ports', () => {
  test('of another program are a problem, of a running server a warning', async () => {
    const other = createNetServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const taken = (other.address() as AddressInfo).port
    expect(await told('ports', ['--port', String(taken)])).toEqual([
      `problem: 127.0.0.1:${taken} (HTTP) cannot be opened: another program has it.`,
    ])
    expect(await told('ports', ['--syslog', `tcp://127.0.0.1:${taken}`])).toEqual([
      `problem: 127.0.0.1:${taken} (syslog) cannot be opened: another program has it.`,
    ])
    other.close()
    const server = await createServer({ tables: { logs: [] } })
    const { port } = await server.listen()
    expect(await told('ports', ['--port', String(port)])).toEqual([
      `warning: 127.0.0.1:${port} (HTTP) is in use by a server that answers /healthz as Sluice does.`,
    ])
    await server.close()
  })

  test('of an address that is not here, and of one that is malformed, are problems', async () => {
    expect(await told('ports', ['--host', '192.0.2.1'])).toEqual([
      'problem: 192.0.2.1:0 (HTTP) cannot be opened: this machine has no such address.',
      'warning: Keys and rows cross the network unencrypted to 192.0.2.1:0.',
    ])
    expect(await told('ports', ['--syslog', 'nonsense'])).toEqual([
      expect.stringContaining('--syslog needs an address of udp, tcp or tls'),
    ])
  })

  test('that other machines reach without TLS are a warning', async () => {
    expect(await told('ports', ['--host', '0.0.0.0'])).toEqual([
      'warning: Keys and rows cross the network unencrypted to 0.0.0.0:0.',
    ])
  })
})
