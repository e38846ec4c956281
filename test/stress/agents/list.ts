import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from './agent.ts'

const at = (port: number, path: string): string => `http://127.0.0.1:${port}${path}`

/** Requests that curl posts, one per protocol, as in the protocol's documentation. */
const posts: readonly {
  readonly protocol: string
  readonly path: string
  readonly type: string
  readonly auth: (key: string) => string
  readonly body: (word: string) => string
}[] = [
  {
    protocol: 'bulk API',
    path: '/_bulk',
    type: 'application/x-ndjson',
    auth: (key) => `Authorization: ApiKey ${Buffer.from(`id:${key}`).toString('base64')}`,
    body: (word) =>
      `{"create":{"_index":"logs"}}\n{"@timestamp":"2026-01-05T10:00:00.000Z","message":"${word} 1"}\n{"index":{}}\n{"message":"${word} 2"}\n`,
  },
  {
    protocol: 'event collector',
    path: '/services/collector/event',
    type: 'application/json',
    auth: (key) => `Authorization: Splunk ${key}`,
    body: (word) => `{"time":1767607200.5,"event":"${word} 1","host":"h"}{"event":{"message":"${word} 2"}}`,
  },
  {
    protocol: 'intake of logs',
    path: '/api/v2/logs',
    type: 'application/json',
    auth: (key) => `DD-API-KEY: ${key}`,
    body: (word) => JSON.stringify([1, 2].map((i) => ({ message: `${word} ${i}`, ddtags: 'env:test', service: 's' }))),
  },
  {
    protocol: 'JSON lines',
    path: '/insert/jsonline?_msg_field=text&_time_field=at',
    type: 'application/stream+json',
    auth: (key) => `Authorization: Bearer ${key}`,
    body: (word) => `{"at":"2026-01-05T10:00:00Z","text":"${word} 1"}\n{"text":"${word} 2"}\n`,
  },
  {
    protocol: 'OTLP',
    path: '/v1/logs',
    type: 'application/json',
    auth: (key) => `Authorization: Bearer ${key}`,
    body: (word) =>
      JSON.stringify({
        resourceLogs: [{ scopeLogs: [{ logRecords: [1, 2].map((i) => ({ body: { stringValue: `${word} ${i}` } })) }] }],
      }),
  },
]

const curls = posts.map(({ protocol, path, type, auth, body }): Agent => ({
  name: 'curl',
  program: 'curl',
  protocol,
  records: 2,
  send: async (run, word, { port, key }) => {
    const headers = [`Content-Type: ${type}`, auth(key)].flatMap((header) => ['-H', header])
    await run(['-sS', '--fail-with-body', ...headers, '--data-binary', '@-', at(port, path)], { input: body(word) })
  },
}))

const loggers = [
  { protocol: 'syslog 5424 over TCP, with lengths', args: ['--tcp', '--rfc5424', '--octet-count'], isTcp: true },
  { protocol: 'syslog 3164 over TCP, by lines', args: ['--tcp', '--rfc3164'], isTcp: true },
  { protocol: 'syslog 5424 over UDP', args: ['--udp', '--rfc5424'], isTcp: false },
].map(({ protocol, args, isTcp }): Agent => ({
  name: 'logger',
  program: 'logger',
  protocol,
  records: 3,
  send: async (run, word, { tcpPort, udpPort }) => {
    const to = ['--server', '127.0.0.1', '--port', String(isTcp ? tcpPort : udpPort)]
    await run([...args, ...to, '--tag', 'trial', '--priority', 'local0.warning'], {
      input: [1, 2, 3].map((i) => `${word} ${i}\n`).join(''),
    })
  },
}))

/** Returns an agent that runs rsyslog with a configuration that reads a file and forwards it with `action`. */
function rsyslog(
  protocol: string,
  module: string,
  action: (targets: { port: number; tcpPort: number; udpPort: number; key: string }) => string,
): Agent {
  return {
    name: 'rsyslogd',
    program: 'rsyslogd',
    protocol,
    records: 5,
    send: async (run, word, targets) => {
      const { folder } = targets
      const [conf, input] = ['rsyslog.conf', 'input.log'].map((name) => join(folder, name)) as [string, string]
      writeFileSync(input, Array.from({ length: 5 }, (_, i) => `${word} ${i}\n`).join(''))
      writeFileSync(
        conf,
        `global(workDirectory="${folder}")\nmodule(load="imfile")\n${module}\n` +
          `input(type="imfile" File="${input}" Tag="trial:" readMode="0")\n${action(targets)}\n`,
      )
      await run(['-n', '-f', conf, '-i', join(folder, 'pid')], { endAfterMs: 4000 })
    },
  }
}

const rsyslogs = [
  rsyslog(
    'syslog over TCP, by lines',
    '',
    ({ tcpPort }) => `action(type="omfwd" target="127.0.0.1" port="${tcpPort}" protocol="tcp")`,
  ),
  rsyslog(
    'syslog over TCP, with lengths',
    '',
    ({ tcpPort }) =>
      `action(type="omfwd" target="127.0.0.1" port="${tcpPort}" protocol="tcp" TCP_Framing="octet-counted" template="RSYSLOG_SyslogProtocol23Format")`,
  ),
  rsyslog(
    'syslog over UDP',
    '',
    ({ udpPort }) => `action(type="omfwd" target="127.0.0.1" port="${udpPort}" protocol="udp")`,
  ),
  rsyslog(
    'bulk API',
    'module(load="omelasticsearch")\ntemplate(name="json" type="list" option.json="on") { constant(value="{\\"message\\":\\"") property(name="msg") constant(value="\\",\\"@timestamp\\":\\"") property(name="timereported" dateFormat="rfc3339") constant(value="\\"}") }',
    ({ port, key }) =>
      `action(type="omelasticsearch" server="127.0.0.1" serverport="${port}" uid="agent" pwd="${key}" bulkmode="on" template="json" searchIndex="rsyslog" searchType="")`,
  ),
]

/** Returns entries in the systemd journal export format; one has a message of several lines. */
function journal(word: string): Buffer {
  const length = Buffer.alloc(8)
  const text = Buffer.from(`${word} 2\nsecond line`)
  length.writeBigUInt64LE(BigInt(text.length))
  const head = (i: number): string =>
    `__CURSOR=s=0;i=${i}\n__REALTIME_TIMESTAMP=${1767607200000000 + i}\n__MONOTONIC_TIMESTAMP=${i}\n_BOOT_ID=00000000000000000000000000000001\nPRIORITY=4\n`
  return Buffer.concat([
    Buffer.from(`${head(1)}MESSAGE=${word} 1\n\n${head(2)}MESSAGE\n`),
    length,
    text,
    Buffer.from('\n\n'),
  ])
}

const journals: readonly Agent[] = [
  {
    name: 'systemd-journal-upload',
    program: 'systemd-journal-upload',
    protocol: 'upload of a journal',
    records: 2,
    send: async (run, word, { port, key, folder }) => {
      const file = join(folder, 'export')
      writeFileSync(file, journal(word))
      await run([`--url=http://agent:${key}@127.0.0.1:${port}`, `--save-state=${join(folder, 'state')}`, file])
    },
  },
  {
    name: 'curl',
    program: 'curl',
    protocol: 'upload of a journal, in chunks',
    records: 2,
    send: async (run, word, { port, key }) => {
      const headers = [
        'Content-Type: application/vnd.fdo.journal',
        'Transfer-Encoding: chunked',
        'Expect: 100-continue',
      ]
      const args = headers.flatMap((header) => ['-H', header])
      await run(
        ['-sS', '--fail-with-body', '-u', `agent:${key}`, ...args, '--data-binary', '@-', at(port, '/upload')],
        {
          input: journal(word),
        },
      )
    },
  },
]

const fluentBits = [
  [
    'bulk API',
    'es',
    (key: string) => ['-p', 'HTTP_User=agent', '-p', `HTTP_Passwd=${key}`, '-p', 'Suppress_Type_Name=On'],
  ],
  ['event collector', 'splunk', (key: string) => ['-p', `Splunk_Token=${key}`, '-p', 'TLS=Off']],
  ['intake of logs', 'datadog', (key: string) => ['-p', `apikey=${key}`, '-p', 'TLS=off', '-p', 'provider=ecs']],
  ['OTLP', 'opentelemetry', (key: string) => ['-p', 'logs_uri=/v1/logs', '-p', `header=Authorization Bearer ${key}`]],
] as const

const fluentBitAgents = fluentBits.map(([protocol, output, more]): Agent => ({
  name: 'fluent-bit',
  program: 'fluent-bit',
  protocol,
  records: 3,
  send: async (run, word, { port, key }) => {
    const input = ['-i', 'dummy', '-p', `dummy={"message":"${word}"}`, '-p', 'samples=3']
    const to = ['-o', output, '-m', '*', '-p', 'Host=127.0.0.1', '-p', `Port=${port}`]
    await run(['-f', '1', ...input, ...to, ...more(key)], { endAfterMs: 8000 })
  },
}))

function vector(protocol: string, sink: (endpoint: string, key: string) => string): Agent {
  return {
    name: 'vector',
    program: 'vector',
    protocol,
    records: 3,
    send: async (run, word, { port, key, folder }) => {
      const conf = join(folder, 'vector.yaml')
      writeFileSync(
        conf,
        `data_dir: ${folder}\nsources:\n  in: {type: stdin}\nsinks:\n  out:\n    inputs: [in]\n${sink(at(port, ''), key)}`,
      )
      await run(['--config', conf], { input: `${word}\n`.repeat(3), endAfterMs: 15_000 })
    },
  }
}

const vectors = [
  vector(
    'bulk API',
    (endpoint, key) =>
      `    type: elasticsearch\n    endpoints: [${endpoint}]\n    auth: {strategy: basic, user: agent, password: ${key}}\n`,
  ),
  vector(
    'event collector',
    (endpoint, key) =>
      `    type: splunk_hec_logs\n    endpoint: ${endpoint}\n    default_token: ${key}\n    encoding: {codec: json}\n`,
  ),
  vector(
    'intake of logs',
    (endpoint, key) => `    type: datadog_logs\n    endpoint: ${endpoint}\n    default_api_key: ${key}\n`,
  ),
]

const filebeat: Agent = {
  name: 'filebeat',
  program: 'filebeat',
  protocol: 'bulk API',
  records: 3,
  send: async (run, word, { port, key, folder }) => {
    const conf = join(folder, 'filebeat.yml')
    writeFileSync(
      conf,
      `path.home: ${folder}\nfilebeat.inputs: [{type: stdin}]\noutput.elasticsearch: {hosts: ["${at(port, '')}"], username: agent, password: ${key}, allow_older_versions: true}\n`,
    )
    await run(['-e', '--strict.perms=false', '-once', '-c', conf], { input: `${word}\n`.repeat(3), endAfterMs: 20_000 })
  },
}

/**
 * The client library of the Fluent forward protocol in each of its modes, with acknowledgements. The last agent
 * authenticates with a shared key.
 */
const fluentLoggers = (['Message', 'Forward', 'PackedForward', 'CompressedPackedForward'] as const).map(
  (eventMode, i): Agent => ({
    name: '@fluent-org/logger',
    program: process.execPath,
    module: '@fluent-org/logger',
    protocol: `forward, ${eventMode}${i === 3 ? ', with a shared key' : ''}`,
    records: 3,
    send: async (run, word, { forwardPort, keyedForwardPort, key, module }) => {
      const security = i === 3 ? { security: { clientHostname: 'client', sharedKey: key } } : {}
      const port = i === 3 ? keyedForwardPort : forwardPort
      const options = { eventMode, socket: { host: '127.0.0.1', port }, ack: { ackTimeout: 5000 }, ...security }
      const script = `
        const { FluentClient } = require(${JSON.stringify(module)})
        const client = new FluentClient('trial', ${JSON.stringify(options)})
        const all = [1, 2, 3].map((i) => client.emit({ message: ${JSON.stringify(word)}, i }))
        Promise.all(all).then(() => client.disconnect()).catch((error) => { console.error(error); process.exitCode = 1 })
      `
      await run(['-e', script], { endAfterMs: 15_000 })
    },
  }),
)

const fluentBitForward: Agent = {
  name: 'fluent-bit',
  program: 'fluent-bit',
  protocol: 'forward',
  records: 3,
  send: async (run, word, { forwardPort }) => {
    const input = ['-i', 'dummy', '-p', `dummy={"message":"${word}"}`, '-p', 'samples=3']
    const to = ['-o', 'forward', '-m', '*', '-p', 'Host=127.0.0.1', '-p', `Port=${forwardPort}`]
    await run(['-f', '1', ...input, ...to, '-p', 'Require_ack_response=true'], { endAfterMs: 8000 })
  },
}

/** All agents, in the order in which they are tried. */
export const agents: readonly Agent[] = [
  ...curls,
  ...loggers,
  ...rsyslogs,
  ...journals,
  ...fluentBitAgents,
  fluentBitForward,
  ...fluentLoggers,
  ...vectors,
  filebeat,
]
