import { at, atMs, atNs, one, some, type CorpusCase } from './corpus.ts'

const message = { msg: 'up' }
const iso = '2025-11-30T10:11:12Z'

/** Objects with an unusual member name for the time. */
const times: readonly (readonly [name: string, value: unknown])[] = [
  ['Time', iso],
  ['TIMESTAMP', iso],
  ['Datetime', '2025-11-30 10:11:12'],
  ['date', '30/Nov/2025:10:11:12 +0000'],
  ['dt', iso],
  ['t', '2025-11-30T10:11:12.000+00:00'],
  ['_ts', 1764497472],
  ['@time', iso],
  ['createdAt', iso],
  ['created_at', '2025-11-30 10:11:12'],
  ['eventTime', '2025-11-30T11:11:12+01:00'],
  ['event_time', 1764497472000],
  ['time_stamp', '1764497472'],
  ['_timestamp', iso],
  ['published_date', iso],
  ['occurred_at', { $date: iso }],
]

const named = times.map(([name, value]) =>
  one(`a time called ${name}`, { [name]: value, ...message }, { text: 'up', time: at }),
)

/** Words that are recognised as levels, and words that are not. */
const levels: readonly (readonly [name: string, line: string, level?: string])[] = [
  ['in brackets', '2025-11-30 10:11:12 [ERROR] no room', 'error'],
  ['behind brackets of a thread', '2025-11-30 10:11:12 [main] WARN no room', 'warn'],
  ['in small letters behind a time', '2025-11-30 10:11:12 info: started', 'info'],
  ['behind a name and bars', '2025-11-30 10:11:12 | DEBUG | app:run:7 - started', 'debug'],
  ['as a pair', '2025-11-30 10:11:12 app started level=warn', 'warn'],
  ['in a sentence', '2025-11-30 10:11:12 there was no error in the debug build'],
  ['as the name of a file', '2025-11-30 10:11:12 wrote error.log and info.txt'],
  ['behind a hyphen', '2025-11-30 10:11:12 - ERROR - no room', 'error'],
]

const leveled = levels.map(([name, line, level]) =>
  one(`a level ${name}`, line, { time: at, ...(level === undefined ? {} : { level }) }),
)

/** Lines of containers as command-line tools prefix them. */
const prefixed: readonly CorpusCase[] = [
  one('docker compose, text', 'shop-api-1  | 2025-11-30 10:11:12 ERROR no room', {
    level: 'error',
    time: at,
    fields: { container: 'shop-api-1' },
  }),
  one('docker compose with times', 'shop-api-1  | 2025-11-30T10:11:12.345678901Z {"level":"warn","msg":"up"}', {
    text: 'up',
    level: 'warn',
    time: atNs,
    fields: { container: 'shop-api-1' },
  }),
  one('docker compose, logfmt', 'db-1 | time=2025-11-30T10:11:12Z level=info msg="up and running"', {
    text: 'up and running',
    level: 'info',
    time: at,
    fields: { container: 'db-1' },
  }),
  one('kubectl with a prefix and a time', '[pod/shop-7d4b9c-x2k5q/app] 2025-11-30T10:11:12.345678901Z {"msg":"up"}', {
    text: 'up',
    time: atNs,
    fields: { pod: 'shop-7d4b9c-x2k5q', container: 'app' },
  }),
  one('kubectl with a prefix, text', '[pod/shop-7d4b9c-x2k5q/app] 2025-11-30 10:11:12 WARN no room', {
    level: 'warn',
    time: at,
    fields: { pod: 'shop-7d4b9c-x2k5q' },
  }),
  one('stern, objects', 'shop-7d4b9c8f6d-x2k5q app {"time":"2025-11-30T10:11:12Z","level":"error","msg":"no room"}', {
    text: 'no room',
    level: 'error',
    time: at,
    fields: { pod: 'shop-7d4b9c8f6d-x2k5q', container: 'app' },
  }),
]

/** Lines without a time that follow a line with a time. */
const behind: readonly CorpusCase[] = [
  some(
    'containerd, a line hours later',
    '2025-11-30T10:11:12.000000000Z stdout F E1130 10:11:12.000000 1 x.go:1] boom\n2025-11-30T12:00:00.000000000Z stdout F shutting down\n',
    { level: 'error', time: at },
    { text: 'shutting down', time: '2025-11-30T12:00:00.000000000Z' },
  ),
  some(
    'containerd, lines of one record',
    '2025-11-30T10:11:12.000000000Z stdout F 2025-11-30 10:11:12 ERROR no room\n2025-11-30T10:11:12.000000100Z stdout F   in shop\n2025-11-30T10:11:12.000000200Z stdout F and so on\n',
    { text: '2025-11-30 10:11:12 ERROR no room\n  in shop\nand so on', level: 'error', time: at },
  ),
  some(
    'uvicorn',
    '2025-11-30 10:11:12,345 INFO app started\nERROR:    Exception in ASGI application\nINFO:     192.0.2.7:80 - "GET /x HTTP/1.1" 500\n',
    { level: 'info', time: atMs },
    { text: 'ERROR:    Exception in ASGI application', level: 'error', time: atMs },
    { level: 'info', time: atMs },
  ),
  some(
    'a panic behind a line of the same program',
    '2025-11-30 10:11:12,345 INFO app started\npanic: boom\n\ngoroutine 1 [running]:\nmain.main()\n',
    { text: '2025-11-30 10:11:12,345 INFO app started', level: 'info', time: atMs },
    { text: 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()', level: 'panic', time: atMs },
  ),
]

/** Lines of well-known programs that no other file covers. */
const programs: readonly CorpusCase[] = [
  one(
    'Spring Boot',
    '2025-11-30T10:11:12.345Z  INFO 1 --- [shop] [main] c.e.ShopApplication : Started in 2.1 seconds',
    {
      level: 'info',
      time: atMs,
    },
  ),
  one('Serilog of a console', '[2025-11-30 10:11:12 WRN] no room', { level: 'warn', time: at }),
  one('Go, log/slog', 'time=2025-11-30T10:11:12.345Z level=WARN msg="no room" free=0', {
    text: 'no room',
    level: 'WARN',
    time: atMs,
  }),
  one('Go, zap for people', '2025-11-30T10:11:12.345Z\tERROR\tserver/main.go:7\tno room\t{"free": 0}', {
    level: 'error',
    time: atMs,
  }),
  one('klog', 'E1130 10:11:12.345678       1 controller.go:114] "no room" err="full"', {
    level: 'error',
    time: '2025-11-30T10:11:12.345678000Z',
  }),
  one('HAProxy behind syslog', '<134>Nov 30 10:11:12 lb haproxy[7]: Server web/s1 is DOWN', {
    text: 'Server web/s1 is DOWN',
    level: 'info',
    time: at,
    service: 'haproxy',
  }),
  one('PostgreSQL', '2025-11-30 10:11:12.345 UTC [77] LOG:  database system is ready', { level: 'info', time: atMs }),
  one('PostgreSQL, an error', '2025-11-30 10:11:12.345 UTC [77] shop@orders ERROR:  relation "a" does not exist', {
    level: 'error',
    time: atMs,
  }),
  one('Redis', '1:M 30 Nov 2025 10:11:12.345 * Ready to accept connections', { time: atMs, level: 'notice' }),
  one('nginx, error log', '2025/11/30 10:11:12 [error] 7#7: *1 connect() failed (111: Connection refused)', {
    level: 'error',
    time: at,
  }),
  one('Apache, error log', '[Sun Nov 30 10:11:12.345678 2025] [core:error] [pid 7] [client 192.0.2.7:80] no file', {
    level: 'error',
    time: '2025-11-30T10:11:12.345678000Z',
  }),
  one('Elasticsearch', '[2025-11-30T10:11:12,345][WARN ][o.e.c.r.a.DiskThresholdMonitor] [n1] high disk watermark', {
    level: 'warn',
    time: atMs,
  }),
  one('Kafka', '[2025-11-30 10:11:12,345] INFO [KafkaServer id=0] started (kafka.server.KafkaServer)', {
    level: 'info',
    time: atMs,
  }),
  one('MongoDB', '{"t":{"$date":"2025-11-30T10:11:12.345+00:00"},"s":"W","c":"NETWORK","ctx":"conn7","msg":"slow"}', {
    text: 'slow',
    level: 'warn',
    time: atMs,
  }),
  one('RabbitMQ', '2025-11-30 10:11:12.345678+00:00 [warning] <0.7.0> memory alarm', {
    level: 'warn',
    time: '2025-11-30T10:11:12.345678000Z',
  }),
  one('Heroku', '<40>1 2025-11-30T10:11:12.345678+00:00 host app web.1 - State changed from up to down', {
    text: 'State changed from up to down',
    level: 'emergency',
    time: '2025-11-30T10:11:12.345678000Z',
    service: 'app',
  }),
  one('Caddy', '{"level":"error","ts":1764497472.345,"logger":"http.log","msg":"no upstream","status":502}', {
    text: 'no upstream',
    level: 'error',
    time: atMs,
  }),
  one('systemd, of journalctl with ISO times', '2025-11-30T10:11:12+00:00 web sshd[7]: Failed password for root', {
    time: at,
    service: 'sshd',
    fields: { host: 'web', pid: '7' },
  }),
  one('Python, loguru', '2025-11-30 10:11:12.345 | WARNING  | shop:run:7 - no room', { level: 'warn', time: atMs }),
  one('Envoy of a console', '[2025-11-30 10:11:12.345][7][warning][config] no route', { level: 'warn', time: atMs }),
]

/** Variations of inputs that were once read wrongly. */
export const neighbours: readonly CorpusCase[] = [...named, ...leveled, ...prefixed, ...behind, ...programs]
