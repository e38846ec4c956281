// @module-tag slow
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { authorized, PROCESS_KEY } from '../harness/server-process.ts'
import { argumentsOf, environmentOf, readDockerfile, root, type Stage } from './dockerfile.ts'
import { NOBODY, cannotSwitch, shellAsNobody, startAsNobody } from './other-user.ts'

/**
 * Builds the image without Docker. RUN lines run as `nobody` in folders that replace /build and /app, COPY lines are
 * executed, and the image's command is started. The base images are not used; the tests' own Node replaces theirs.
 */
const place = mkdtempSync(join(tmpdir(), 'sluice-image-'))
const home = join(place, 'home')
const stages = readDockerfile('deploy/docker/Dockerfile')
const [build, packages, last] = stages as [Stage, Stage, Stage]

/** Unpacked size of debian:bookworm-slim in bytes, as listed by `docker images`. */
const BASE_BYTES = 75_000_000
const LIMIT_BYTES = 260_000_000

/** Returns the folder that replaces a path of a build stage. */
function at(stage: string, path: string): string {
  return join(place, stage, path)
}

/** Returns the total size in bytes of a file, or of the files in a folder. */
function bytesOf(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

/** Lists the files that Docker would receive: those in git that .dockerignore does not exclude. */
function context(): readonly string[] {
  const kept = ['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'README.md', 'tsconfig*.json']
  const folders = ['bin', 'docs', 'grammar', 'src', 'tools', 'deploy/docker/health.mjs']
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...kept, ...folders]
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '')
}

/**
 * Environment of this machine with its proxy and certificate settings, without the variables that npm sets for tests.
 */
const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
const registry = (): string => execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
const env = {
  ...Object.fromEntries(inherited),
  npm_config_registry: cannotSwitch === undefined ? registry() : '',
  npm_config_update_notifier: 'false',
  HOME: home,
  TMPDIR: home,
  PATH: `${join(place, 'usr')}:${process.env['PATH']}`,
}

function give(path: string): void {
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, path])
}

/** Runs the RUN lines of a stage in the working directory `folder`. */
function runLines(stage: Stage, folder: string): void {
  for (const line of argumentsOf(stage, 'RUN')) {
    const { status, stderr, stdout } = shellAsNobody(line, { cwd: at(stage.name, folder), env })
    expect({ line, status, output: status === 0 ? '' : stdout + stderr }).toEqual({ line, status: 0, output: '' })
  }
}

afterAll(() => rmSync(place, { recursive: true, force: true }))

describe.skipIf(cannotSwitch !== undefined)(`the image, as another user (${cannotSwitch ?? 'nobody'})`, () => {
  test('is built by its RUN and COPY lines, and is at most 260 MB', () => {
    mkdirSync(home)
    mkdirSync(join(place, 'usr'))
    chmodSync(place, 0o755)
    symlinkSync(process.execPath, join(place, 'usr/node'))
    for (const name of context()) copy(join(root, name), at('build', join('/build', name)))
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copy(join(root, name), at('packages', join('/app', name)))
    give(place)
    runLines(build, '/build')
    runLines(packages, '/app')
    let bytes = BASE_BYTES
    for (const text of argumentsOf(last, 'COPY')) {
      const [, stage, from = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? []
      const source =
        stage === undefined ? join(root, from) : from.startsWith('/usr/') ? process.execPath : at(stage, from)
      bytes += bytesOf(source)
      copy(source, at('image', to))
    }
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES)
    expect(readdirSync(at('image', '/app')).toSorted()).toEqual([
      '.npmrc',
      'LICENSE',
      'bin',
      'dist',
      'grammar',
      'health.mjs',
      'node_modules',
      'package-lock.json',
      'package.json',
    ])
  }, 900_000)

  test('serves from a disk that it cannot write to, answers its health check, and ends at SIGTERM', async () => {
    // As with a read-only root file system, root owns everything except the data folder.
    execFileSync('chown', ['-R', '0:0', at('image', '/')])
    const data = at('image', '/data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, NOBODY, NOBODY)
    const image = environmentOf(last)
    const variables = {
      ...image,
      SLUICE_SERVE_DATA: data,
      SLUICE_SERVE_PORT: '0',
      SLUICE_SERVE_WORKERS: '1',
      SLUICE_API_KEY: PROCESS_KEY,
      PATH: '/nowhere',
    }
    const [program = ''] = JSON.parse(argumentsOf(last, 'ENTRYPOINT')[0] ?? '') as string[]
    expect(program).toBe('sluice')
    expect(argumentsOf(last, 'RUN').join('')).toContain('ln -s /app/bin/sluice.cjs /usr/local/bin/sluice')
    const args = JSON.parse(argumentsOf(last, 'CMD')[0] ?? '') as string[]
    const node = at('image', '/usr/local/bin/node')
    const child = startAsNobody(node, [at('image', '/app/bin/sluice.cjs'), ...args], { cwd: data, env: variables })
    try {
      let output = ''
      child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
      await expect.poll(() => output).toMatch(/listens on http:\S+/)
      const port = /listens on http:\/\/0\.0\.0\.0:(\d+)/.exec(output)?.[1] ?? ''
      const health = (at_: string): number | null =>
        shellAsNobody(`'${node}' '${at('image', '/app/health.mjs')}'`, { cwd: data, env: { SLUICE_SERVE_PORT: at_ } })
          .status
      expect(health(port)).toBe(0)
      expect(health('1')).toBe(1)
      const sent = await fetch(`http://127.0.0.1:${port}/api/ingest/logs`, {
        method: 'POST',
        headers: authorized({ 'Content-Type': 'application/x-ndjson' }),
        body: '{"content":"in the image"}\n',
      })
      expect(await sent.json()).toMatchObject({ accepted: 1 })
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      expect(code).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
    const read = shellAsNobody(
      `'${node}' '${at('image', '/app/bin/sluice.cjs')}' query --data '${data}' --since 1h '* | stats count() n'`,
      { cwd: data, env: { PATH: '/nowhere' } },
    )
    expect({ status: read.status, out: read.stdout }).toEqual({ status: 0, out: '{"n":1}\n' })
  })
})
