import { at, atMs, atUs, one } from './corpus.ts'

const slow =
  '# Time: 2025-11-30T10:11:12.345678Z\n# User@Host: ann[ann] @ app.example [192.0.2.7]  Id:    42\n# Query_time: 2.500000  Lock_time: 0.000100 Rows_sent: 1  Rows_examined: 900\nSET timestamp=1764497472;\nselect *\n  from orders;'

export const databases = [
  one('PostgreSQL', '2025-11-30 10:11:12.345 UTC [1234] ann@shop ERROR:  relation "x" does not exist at character 15', {
    text: '2025-11-30 10:11:12.345 UTC [1234] ann@shop ERROR:  relation "x" does not exist at character 15',
    level: 'error',
    time: atMs,
    fields: { pid: '1234', user: 'ann', database: 'shop' },
  }),
  one(
    'PostgreSQL, duration',
    '2025-11-30 10:11:12.345 UTC [1234] LOG:  duration: 2500.250 ms  statement: select 1\n\tfrom x',
    {
      text: '2025-11-30 10:11:12.345 UTC [1234] LOG:  duration: 2500.250 ms  statement: select 1\n\tfrom x',
      level: 'info',
      time: atMs,
      fields: { duration_ms: 2500.25 },
    },
  ),
  one(
    'PostgreSQL, csvlog',
    '2025-11-30 10:11:12.345 UTC,"ann","shop",1234,"192.0.2.7:5000",65a0,1,"SELECT",2025-11-30 09:59:00 UTC,3/1,0,ERROR,42P01,"relation ""x"" does not exist",,,,,,"select * from x",15,,"psql","client backend",,0',
    {
      text: 'relation "x" does not exist',
      level: 'error',
      time: atMs,
      fields: { user: 'ann', database: 'shop', client: '192.0.2.7', sql_state: '42P01', query: 'select * from x' },
    },
  ),
  one(
    'PostgreSQL, jsonlog',
    {
      timestamp: '2025-11-30 10:11:12.345 UTC',
      user: 'ann',
      dbname: 'shop',
      pid: 1234,
      session_id: '65a0',
      error_severity: 'FATAL',
      state_code: '28P01',
      message: 'password authentication failed',
      backend_type: 'client backend',
    },
    { text: 'password authentication failed', level: 'fatal', time: atMs, service: 'shop' },
  ),
  one(
    'MySQL, error log',
    '2025-11-30T10:11:12.345678Z 0 [Warning] [MY-010068] [Server] CA certificate is self signed.',
    {
      text: '2025-11-30T10:11:12.345678Z 0 [Warning] [MY-010068] [Server] CA certificate is self signed.',
      level: 'warn',
      time: atUs,
      fields: { error_code: 'MY-010068', subsystem: 'Server' },
    },
  ),
  one('MySQL, system', '2025-11-30T10:11:12.345678Z 0 [System] [MY-010931] [Server] ready for connections.', {
    level: 'info',
    time: atUs,
  }),
  one('MariaDB, error log', '2025-11-30 10:11:12 0 [Note] InnoDB: log opened', { level: 'info', time: at }),
  one('MySQL, slow log', slow, {
    text: slow,
    time: atUs,
    fields: { user: 'ann', client: '192.0.2.7', duration_ms: 2500, rows_examined: 900 },
  }),
  one('Redis', '12:M 30 Nov 2025 10:11:12.345 # Out of memory', {
    text: '12:M 30 Nov 2025 10:11:12.345 # Out of memory',
    level: 'warn',
    time: atMs,
    fields: { pid: '12', role: 'M' },
  }),
  one('Redis, notice', '1:C 30 Nov 2025 10:11:12.345 * Ready to accept connections tcp', {
    level: 'notice',
    time: atMs,
  }),
  one(
    'MongoDB',
    {
      t: { $date: '2025-11-30T10:11:12.345+00:00' },
      s: 'W',
      c: 'NETWORK',
      id: 22943,
      ctx: 'listener',
      msg: 'Connection accepted',
      attr: { remote: '192.0.2.7:1' },
    },
    {
      text: 'Connection accepted',
      level: 'warn',
      time: atMs,
      service: 'NETWORK',
      fields: { 'attr.remote': '192.0.2.7:1' },
    },
  ),
  one('CouchDB', '[info] 2025-11-30T10:11:12.345678Z nonode@nohost <0.9.0> -------- Application started', {
    level: 'info',
  }),
  one('ClickHouse', '2025.11.30 10:11:12.345678 [ 7 ] {} <Error> Application: Code: 210', {
    level: 'error',
    time: atUs,
  }),
  one(
    'etcd',
    { level: 'warn', ts: '2025-11-30T10:11:12.345678Z', caller: 'x.go:1', msg: 'slow fdatasync', took: '1.2s' },
    { text: 'slow fdatasync', level: 'warn', time: atUs },
  ),
  one('RabbitMQ', '2025-11-30 10:11:12.345678+00:00 [error] <0.9.0> closing connection', {
    level: 'error',
    time: atUs,
  }),
]
