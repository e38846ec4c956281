import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { runOn } from '../cli/terminal.ts'
import { argumentsOf, environmentOf, readDockerfile, root, type Parsed } from './dockerfile.ts'

const file = 'deploy/compose/compose.yaml'
const folder = join(root, dirname(file))
const text = readFileSync(join(root, file), 'utf8')
const { services, volumes } = parse(text)
const collector = parse(readFileSync(join(folder, 'collector.yaml'), 'utf8'))
const image = readDockerfile('deploy/docker/Dockerfile').at(-1)

const KEY = 'the-key-of-the-compose-test-0123456789'
let server: SluiceServer
let address: string

beforeAll(async () => {
  server = await createServer({ keys: [KEY] })
  address = (await server.listen()).address
})

afterAll(() => server.close())

test('the files are YAML without a doubt', () => {
  for (const name of ['compose.yaml', 'collector.yaml']) {
    const { errors, warnings } = parseDocument(readFileSync(join(folder, name), 'utf8'))
    expect([...errors, ...warnings]).toEqual([])
  }
})

test('every image but our own has a version, and every port is open to this machine alone', () => {
  for (const [name, service] of Object.entries<Parsed>(services)) {
    if (name !== 'sluice') expect(service.image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+$/)
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/)
  }
})

test('every mounted file and volume exists', () => {
  for (const { volumes: mounts, build } of Object.values<Parsed>(services)) {
    for (const mount of mounts as string[]) {
      const [source = ''] = mount.split(':')
      expect(source.startsWith('.') ? existsSync(join(folder, source)) : Object.hasOwn(volumes, source)).toBe(true)
    }
    if (build !== undefined) expect(existsSync(join(folder, build.context, build.dockerfile))).toBe(true)
  }
})

test('Sluice gets options of serve, a read-only disk, no rights, and time to stop', async () => {
  const { sluice } = services
  const env = { XDG_CONFIG_HOME: '/nowhere', ...environmentOf(image!), ...sluice.environment }
  const { code, out } = await runOn({ env }, 'doctor', '--data', '/tmp/nowhere', '--port', '0')
  expect({ code, unread: out.includes('belongs to no option') }).toEqual({ code: 0, unread: false })
  expect(sluice).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  expect(sluice.volumes).toEqual([`data:${argumentsOf(image!, 'VOLUME')[0]}`])
  expect(Number.parseInt(sluice.stop_grace_period, 10)).toBeGreaterThan(30)
})

test('a missing key is refused, by Docker itself', () => {
  const uses = text.match(/\$\{SLUICE_API_KEY[^}]*\}/g) ?? []
  expect(uses).toHaveLength(3)
  for (const use of uses) expect(use).toMatch(/^\$\{SLUICE_API_KEY:\?.+\}$/)
})

test('the collector sends to the service, with a path and a key that Sluice takes', async () => {
  const { endpoint, headers } = collector.exporters.otlphttp
  const url = new URL(endpoint)
  expect(Object.keys(services)).toContain(url.hostname)
  expect(url.port).toBe(argumentsOf(image!, 'EXPOSE')[0])
  for (const pipeline of Object.values<Parsed>(collector.service.pipelines)) {
    expect(pipeline).toEqual({ receivers: ['otlp'], processors: ['batch'], exporters: ['otlphttp'] })
  }
  expect(Object.keys(collector.service.pipelines)).toEqual(['logs', 'traces', 'metrics'])
  for (const path of ['/v1/logs', '/v1/traces', '/v1/metrics']) {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        Authorization: headers.authorization.replace('${env:SLUICE_API_KEY}', KEY),
        'Content-Type': 'application/x-protobuf',
      },
      body: new Uint8Array(),
    })
    expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  }
})

test('Grafana gets the variables and the folders that its provisioning names', () => {
  const { environment, volumes: mounts } = services.grafana
  const sources = readFileSync(join(root, 'deploy/grafana/provisioning/datasources/sluice.yaml'), 'utf8')
  for (const [, name = ''] of sources.matchAll(/\$([A-Z_]+)/g)) expect(Object.keys(environment)).toContain(name)
  const [, plugin = ''] = /type: (\w+-\w+-datasource)/.exec(sources) ?? []
  expect(environment.GF_PLUGINS_PREINSTALL).toBe(plugin)
  expect(environment.SLUICE_URL).toBe(collector.exporters.otlphttp.endpoint)
  const dashboards = parse(readFileSync(join(root, 'deploy/grafana/provisioning/dashboards/sluice.yaml'), 'utf8'))
  const { path } = dashboards.providers[0].options
  expect(mounts.some((mount: string) => mount.split(':')[1] === path)).toBe(true)
})
