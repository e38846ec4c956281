import { at, atMs, one, span, trace } from './corpus.ts'

export const node = [
  one(
    'pino',
    { level: 30, time: 1764497472345, pid: 7, hostname: 'web-1', msg: 'started' },
    { text: 'started', level: 'info', time: atMs, fields: { 'level.original': 30, pid: 7 } },
  ),
  one(
    'pino with a name and an error',
    {
      level: 50,
      time: 1764497472345,
      pid: 7,
      hostname: 'web-1',
      name: 'api',
      err: { type: 'TypeError', message: 'x is undefined', stack: 'TypeError: x' },
      msg: 'failed',
    },
    {
      text: 'failed',
      level: 'error',
      time: atMs,
      service: 'api',
      fields: { 'err.message': 'x is undefined', name: 'api' },
    },
  ),
  one(
    'pino, ISO time, level as a name',
    { level: 'warn', time: '2025-11-30T10:11:12.345Z', msg: 'slow', reqId: 'a' },
    { text: 'slow', level: 'warn', time: atMs, fields: { reqId: 'a' } },
  ),
  one(
    'pino with trace ids',
    {
      level: 60,
      time: 1764497472345,
      pid: 1,
      hostname: 'h',
      trace_id: trace,
      span_id: span,
      trace_flags: '01',
      msg: 'x',
    },
    { text: 'x', level: 'fatal', time: atMs, trace, span },
  ),
  one(
    'bunyan',
    { name: 'shop', hostname: 'web-1', pid: 9, level: 40, msg: 'low stock', time: '2025-11-30T10:11:12.345Z', v: 0 },
    { text: 'low stock', level: 'warn', time: atMs, service: 'shop', fields: { v: 0 } },
  ),
  one(
    'bunyan, debug',
    {
      name: 'shop',
      hostname: 'web-1',
      pid: 9,
      level: 20,
      component: 'cart',
      msg: 'x',
      time: '2025-11-30T10:11:12.345Z',
      v: 0,
    },
    { text: 'x', level: 'debug', time: atMs, service: 'shop', fields: { component: 'cart' } },
  ),
  one(
    'winston',
    { level: 'info', message: 'hello', service: 'user-service', timestamp: '2025-11-30T10:11:12.345Z' },
    { text: 'hello', level: 'info', time: atMs, service: 'user-service', fields: { service: 'user-service' } },
  ),
  one(
    'winston, npm levels',
    { level: 'verbose', message: 'hello', label: 'db', timestamp: '2025-11-30T10:11:12.345Z' },
    { text: 'hello', level: 'verbose', time: atMs, fields: { label: 'db' } },
  ),
  one('winston, printf', '2025-11-30T10:11:12.345Z [api] error: it broke', {
    text: '2025-11-30T10:11:12.345Z [api] error: it broke',
    level: 'error',
    time: atMs,
  }),
  one('log4js', '[2025-11-30T10:11:12.345] [ERROR] cheese - Cheese is too ripe!', {
    text: '[2025-11-30T10:11:12.345] [ERROR] cheese - Cheese is too ripe!',
    level: 'error',
    time: atMs,
  }),
  one('NestJS', '[Nest] 123  - 11/30/2025, 10:11:12 AM     LOG [RoutesResolver] AppController {/}:', {
    text: '[Nest] 123  - 11/30/2025, 10:11:12 AM     LOG [RoutesResolver] AppController {/}:',
  }),
  one(
    'msg and message',
    { message: 'first', msg: 'second', level: 'INFO', time: '2025-11-30T10:11:12Z' },
    { text: 'first', level: 'INFO', time: at, fields: { 'content.msg': 'second' } },
  ),
  one(
    'a time that is a duration',
    { msg: 'x', time: 'fast', ts: '2025-11-30T10:11:12Z' },
    { text: 'x', time: at, fields: { '_time.time': 'fast' } },
  ),
  one('a stack of Node', "/app/x.js:3\n  throw new Error('boom')\n  ^\n    at Object.<anonymous> (/app/x.js:3:9)", {
    text: "/app/x.js:3\n  throw new Error('boom')\n  ^\n    at Object.<anonymous> (/app/x.js:3:9)",
  }),
  one(
    'an error of Node with a time',
    '2025-11-30T10:11:12.345Z ERROR boom\nError: boom\n    at f (/app/x.js:1:1)\n    at g (/app/y.js:2:2)',
    {
      text: '2025-11-30T10:11:12.345Z ERROR boom\nError: boom\n    at f (/app/x.js:1:1)\n    at g (/app/y.js:2:2)',
      level: 'error',
      time: atMs,
    },
  ),
  ...['\u001b[31merror\u001b[39m', '\u001b[31merror\u001b[0m', '\u001b[1m\u001b[31m error \u001b[0m'].map((level, i) =>
    one(
      `winston with colours, ${i}`,
      { level, message: 'no room', timestamp: '2025-11-30T10:11:12.345Z' },
      {
        text: 'no room',
        level: 'error',
        time: atMs,
      },
    ),
  ),
]
