import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runOn } from '../cli/terminal.ts'
import { argumentsOf, environmentOf, readDockerfile, root } from './dockerfile.ts'

const stages = readDockerfile('deploy/docker/Dockerfile')
const last = stages.at(-1) ?? { base: '', name: '', instructions: [] }
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
}

test('the stages have slim bases with a version, and the last one has neither npm nor sources', () => {
  expect(stages.map(({ base }) => base)).toEqual([
    'node:24-bookworm-slim',
    'node:24-bookworm-slim',
    'debian:bookworm-slim',
  ])
  const copied = argumentsOf(last, 'COPY')
  expect(copied.filter((text) => /\/build\/(?:src|test|node_modules|dist )|\/usr\/local\/lib/.test(text))).toEqual([])
})

test('files that the image copies exist and are not ignored', () => {
  const ignored = readFileSync(join(root, 'deploy/docker/Dockerfile.dockerignore'), 'utf8')
  const kept = Array.from(ignored.matchAll(/^!(.+)$/gm), ([, path = '']) => path)
  expect(kept.filter((path) => !path.includes('*') && !existsSync(join(root, path)))).toEqual([])
  const sources = stages
    .flatMap((stage) => argumentsOf(stage, 'COPY'))
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(' ').slice(0, -1))
  expect(sources.filter((path) => path !== '.' && !kept.includes(path))).toEqual([])
})

test('the packages for data folders and gRPC have the versions that are tested', () => {
  const installed = stages.flatMap((stage) => argumentsOf(stage, 'RUN')).join('\n')
  for (const name of ['better-sqlite3', '@grpc/grpc-js'])
    expect(installed).toContain(`${name}@${manifest.devDependencies[name]}`)
})

test('it runs as a user without a name or rights, with a health check that needs no shell', () => {
  expect(argumentsOf(last, 'USER')).toEqual(['10001:10001'])
  const [health = ''] = argumentsOf(last, 'HEALTHCHECK')
  const command = JSON.parse(health.slice(health.indexOf('CMD ') + 4)) as string[]
  expect(command).toEqual(['node', '/app/health.mjs'])
  expect(argumentsOf(last, 'COPY').some((text) => text.endsWith(' /app/health.mjs'))).toBe(true)
  for (const name of ['ENTRYPOINT', 'CMD']) expect(argumentsOf(last, name)[0]).toMatch(/^\["/)
})

test('its variables are options of serve, and its port is the one it exposes', async () => {
  const env = environmentOf(last)
  const { out } = await runOn({ env: { XDG_CONFIG_HOME: '/nowhere', ...env } }, 'config', 'print', 'serve')
  for (const name of Object.keys(env)) if (name.startsWith('SLUICE_')) expect(out).toContain(`# ${name}\n`)
  expect(argumentsOf(last, 'EXPOSE')).toEqual([env['SLUICE_SERVE_PORT']])
  expect(argumentsOf(last, 'VOLUME')).toEqual([env['SLUICE_SERVE_DATA']])
})
