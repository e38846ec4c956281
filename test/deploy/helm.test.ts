import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../src/base/index.ts'
import { runOn } from '../cli/terminal.ts'
import { chart, chartFolder, defaultValues, manifests, render, type Manifest, type Values } from './chart.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-helm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plain: Values = { keysSecret: 'keys' }
const full: Values = {
  keysSecret: 'keys',
  tlsSecret: 'cert',
  image: { repository: 'registry.example.com/sluice', tag: '1.2.3', pullPolicy: 'Always' },
  serve: { retain: 'logs=1d', 'max-series': 5, cors: ['https://a.example.com', 'https://b.example.com'] },
  podAnnotations: { team: 'observability' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  storage: { size: '9Gi', className: 'fast' },
}
const dockerfile = readFileSync(join(chartFolder, '../../docker/Dockerfile'), 'utf8')

describe.each([
  ['the default values', plain],
  ['every value', full],
])('the chart with %s', (_, values) => {
  const rendered = manifests(values)
  const { StatefulSet: set, Service: service, ConfigMap: config } = rendered
  const pod: Manifest = set.spec.template
  const [container]: Manifest[] = pod.spec.containers

  test('has manifests with a name and the labels of the chart', () => {
    expect(Object.keys(rendered).toSorted()).toEqual(['ConfigMap', 'Service', 'StatefulSet'])
    for (const { apiVersion, metadata } of Object.values(rendered)) {
      expect(apiVersion).toMatch(/^(apps\/)?v1$/)
      expect(metadata.name).toMatch(/^logs(-config)?$/)
      expect(metadata.labels).toEqual({
        'app.kubernetes.io/name': 'sluice',
        'app.kubernetes.io/instance': 'logs',
        'app.kubernetes.io/version': version,
        'app.kubernetes.io/managed-by': 'Helm',
      })
    }
  })

  test('selects its own pods', () => {
    expect(pod.metadata.labels).toMatchObject(set.spec.selector.matchLabels)
    expect(pod.metadata.labels).toMatchObject(service.spec.selector)
    expect(Object.keys(service.spec.selector).length).toBe(2)
    expect(set.spec.serviceName).toBe(service.metadata.name)
  })

  test('names ports and volumes that exist, and uses all of them', () => {
    const ports = container.ports.map(({ name }: Manifest) => name)
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container[name].httpGet.port)
    for (const port of [...probes, service.spec.ports[0].targetPort]) expect(ports).toContain(port)
    const volumes = [...pod.spec.volumes, ...set.spec.volumeClaimTemplates.map(({ metadata }: Manifest) => metadata)]
    const names = (list: Manifest[]): string[] => list.map(({ name }): string => name).toSorted()
    expect(names(container.volumeMounts)).toEqual(names(volumes))
    expect(pod.spec.volumes.find(({ name }: Manifest) => name === 'config').configMap.name).toBe(config.metadata.name)
  })

  test('runs the user and the port of the image, one server, without privileges, on a read-only disk', () => {
    expect(set.spec.replicas).toBe(1)
    const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = pod.spec.securityContext
    expect(dockerfile).toContain(`USER ${runAsUser}:${runAsGroup}`)
    expect({ fsGroup, runAsNonRoot }).toEqual({ fsGroup: runAsGroup, runAsNonRoot: true })
    expect(dockerfile).toContain(`EXPOSE ${container.ports[0].containerPort}\n`)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources.limits.memory).toBeDefined()
  })

  test('leaves time to stop: the pause before SIGTERM, the running requests, and the last rows', () => {
    const [, seconds] = container.lifecycle.preStop.exec.command
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(seconds) + 10 + 30)
  })

  test('has a configuration that serve and doctor read, of files that are mounted', async () => {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, config.data['config.yaml'])
    const env = { SLUICE_CONFIG: path }
    const printed = await runOn({ env }, 'config', 'print', 'serve')
    expect(printed).toMatchObject({ code: 0, error: '' })
    expect(printed.out).toContain(`serve --data /data  # ${path}`)
    const { out } = await runOn({ env }, 'doctor', '--port', '0', '--host', '127.0.0.1')
    expect(out).toContain(`The file ${path} is read.`)
    const { serve } = parse(config.data['config.yaml'])
    const mounts: string[] = container.volumeMounts.map(({ mountPath }: Manifest) => mountPath)
    const files = ['data', 'keys', 'tls-cert', 'tls-key'].flatMap((name) => serve[name] ?? [])
    expect(files.length).toBe(values === full ? 4 : 2)
    for (const file of files) expect(mounts.some((mount) => file.startsWith(mount))).toBe(true)
    expect(container.env).toEqual([{ name: 'SLUICE_CONFIG', value: '/etc/sluice/config/config.yaml' }])
  })
})

test('other options start the pod again', () => {
  const checksum = (values: Values): string =>
    manifests(values)['StatefulSet'].spec.template.metadata.annotations['checksum/config']
  expect(checksum(plain)).toBe(checksum(plain))
  expect(checksum(plain)).not.toBe(checksum({ ...plain, serve: { retain: 'logs=1d' } }))
})

test('TLS is asked for by probes and notes too', () => {
  const text = [...render(full).values()].join('\n')
  expect(text).not.toMatch(/scheme: HTTP$/m)
  expect(render(full).get('NOTES.txt')).toContain('https://logs.monitoring:7400')
  expect(render(plain).get('NOTES.txt')).toContain('http://logs.monitoring:7400')
})

test('without keys the chart is refused in a sentence that names them', () => {
  expect(() => render({})).toThrow('keysSecret must name a Secret with the file keys.json (sluice keys add)')
})

test('every value is used, and every value that is used has a default', () => {
  const files = readdirSync(join(chartFolder, 'templates'))
  const texts = files.map((file) => readFileSync(join(chartFolder, 'templates', file), 'utf8')).join('\n')
  const used = new Set(Array.from(texts.matchAll(/\.Values\.([\w.]+)/g), ([, path = '']) => path))
  const paths = (value: unknown, prefix: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, each]) => paths(each, `${prefix}.${name}`))
      : [prefix.slice(1)]
  const isUsed = (path: string): boolean => [...used].some((each) => path === each || path.startsWith(`${each}.`))
  expect(paths(defaultValues, '').filter((path) => !isUsed(path))).toEqual([])
  const has = (path: string): boolean =>
    path.split('.').reduce<Manifest>((value, name) => value?.[name], defaultValues) !== undefined
  expect([...used].filter((path) => !has(path))).toEqual([])
})

test('the chart has the version of the package', () => {
  expect(chart).toMatchObject({ apiVersion: 'v2', name: 'sluice', version, appVersion: version })
})
