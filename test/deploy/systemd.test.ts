import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { program } from '../harness/program.ts'
import { PROCESS_KEY } from '../harness/server-process.ts'
import { runOn } from '../cli/terminal.ts'
import { root } from './dockerfile.ts'
import { NOBODY, cannotSwitch, startAsNobody } from './other-user.ts'

const path = join(root, 'deploy/systemd/sluice.service')
const text = readFileSync(path, 'utf8')

/** Settings of the unit as name and value. A name can occur several times. */
const settings = Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value] as const)

function valuesOf(name: string): readonly string[] {
  return settings.filter(([each]) => each === name).map(([, value]) => value)
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-unit-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs systemd-analyze. Returns `undefined` if it is not installed. */
function analyzed(...args: readonly string[]): { readonly status: number | null; readonly output: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return error === undefined ? { status, output: stdout + stderr } : undefined
}

const hasSystemd = analyzed('--version') !== undefined

describe.skipIf(!hasSystemd)(`systemd (${hasSystemd ? 'installed' : 'needs systemd-analyze'})`, () => {
  test('reads the unit without a complaint', () => {
    const checked = analyzed('verify', '--man=no', path)
    const about = (checked?.output ?? '').split('\n').filter((line) => line.includes('sluice.service:'))
    expect(about.filter((line) => !line.includes('Cannot add dependency job'))).toEqual([])
  })

  test('finds it as closed as a service with a network can be', () => {
    const { output = '' } = analyzed('security', '--offline=true', '--no-pager', path) ?? {}
    const exposure = Number(/Overall exposure level for sluice\.service: ([\d.]+)/.exec(output)?.[1])
    expect(exposure).toBeLessThanOrEqual(2)
  })
})

test('the unit stops, reloads and limits as the server needs it', () => {
  expect(valuesOf('Type')).toEqual(['exec'])
  expect(valuesOf('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID'])
  expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(30)
  expect(Number(valuesOf('LimitNOFILE')[0])).toBeGreaterThan(10_000)
  // With this setting V8 could not compile code.
  expect(valuesOf('MemoryDenyWriteExecute')).toEqual([])
})

test('the configuration has options of serve, commented ones too, and the folder that the unit makes', async () => {
  const config = readFileSync(join(root, 'deploy/systemd/config.yaml'), 'utf8')
  const whole = config.replaceAll(/^ {2}# (?=[a-z-]+: )/gm, '  ')
  const file = join(folder, 'config.yaml')
  writeFileSync(file, whole)
  const { code, out } = await runOn({ env: { SLUICE_CONFIG: file } }, 'config', 'print', 'serve')
  expect(code).toBe(0)
  const { serve } = parse(whole)
  expect(Object.keys(serve)).toEqual(['data', 'keys', 'retain', 'host', 'tls-cert', 'tls-key'])
  for (const name of Object.keys(serve)) expect(out).toContain(`serve --${name} ${serve[name]}  # ${file}`)
  expect(serve.data).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`)
  expect(serve.data).toBe(valuesOf('WorkingDirectory')[0])
})

describe.skipIf(cannotSwitch !== undefined)(`ExecStart as another user (${cannotSwitch ?? 'nobody'})`, () => {
  test('serves with the configuration and stops at SIGTERM', { tags: ['slow'] }, async () => {
    chmodSync(folder, 0o755)
    const data = join(folder, 'state')
    mkdirSync(data, { mode: Number.parseInt(valuesOf('StateDirectoryMode')[0] ?? '', 8) })
    chownSync(data, NOBODY, NOBODY)
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'sluice'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
    const config = join(folder, 'config.yaml')
    writeFileSync(config, `serve:\n  data: ${data}\n  port: 0\n  workers: 1\n`)
    const [command = '', ...args] = (valuesOf('ExecStart')[0] ?? '').split(' ')
    const env = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=') as [string, string]))
    const child = startAsNobody(command, args, {
      cwd: data,
      env: { ...env, SLUICE_CONFIG: config, SLUICE_API_KEY: PROCESS_KEY, PATH: `${bin}:/usr/bin:/bin` },
    })
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    try {
      await expect.poll(() => output).toMatch(/listens on http:\S+/)
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      expect(code).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
  })
})
