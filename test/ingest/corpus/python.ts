import { at, atMs, atUs, one, span, trace } from './corpus.ts'

const traceback = 'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    f()\nValueError: bad'

export const python = [
  one('logging, basicConfig', 'WARNING:root:disk is nearly full', {
    text: 'WARNING:root:disk is nearly full',
    level: 'warn',
  }),
  one('logging, asctime', '2025-11-30 10:11:12,345 - shop.cart - ERROR - failed', {
    text: '2025-11-30 10:11:12,345 - shop.cart - ERROR - failed',
    level: 'error',
    time: atMs,
  }),
  one('logging with a traceback', `2025-11-30 10:11:12,345 ERROR root failed\n${traceback}`, {
    text: `2025-11-30 10:11:12,345 ERROR root failed\n${traceback}`,
    level: 'error',
    time: atMs,
  }),
  one('logging without a time, with a traceback', `ERROR:root:failed\n${traceback}`, {
    text: `ERROR:root:failed\n${traceback}`,
    level: 'error',
  }),
  one('a traceback', traceback, { text: traceback, level: 'error' }),
  one(
    'chained tracebacks',
    `${traceback}\n\nDuring handling of the above exception, another exception occurred:\n\n${traceback}`,
    {
      text: `${traceback}\n\nDuring handling of the above exception, another exception occurred:\n\n${traceback}`,
      level: 'error',
    },
  ),
  one(
    'python-json-logger',
    { asctime: '2025-11-30 10:11:12,345', levelname: 'WARNING', name: 'shop', message: 'slow' },
    { text: 'slow', level: 'WARNING', time: atMs, fields: { name: 'shop' } },
  ),
  one(
    'python-json-logger, numbers',
    { created: 1764497472.345, levelno: 40, levelname: 'ERROR', message: 'x', otelTraceID: trace, otelSpanID: span },
    { text: 'x', level: 'ERROR', time: atMs, trace, span, fields: { levelno: 40 } },
  ),
  one(
    'python-json-logger, number alone',
    { timestamp: '2025-11-30T10:11:12.345Z', levelno: 50, message: 'x' },
    { text: 'x', level: 'critical', time: atMs },
  ),
  one(
    'structlog',
    { event: 'user logged in', level: 'info', timestamp: '2025-11-30T10:11:12.345678Z', user: 'ann' },
    { text: 'user logged in', level: 'info', time: atUs, fields: { event: 'user logged in', user: 'ann' } },
  ),
  one('structlog, logfmt', 'event="user logged in" level=info timestamp=2025-11-30T10:11:12Z user=ann', {
    text: 'user logged in',
    level: 'info',
    time: at,
  }),
  one('structlog, console', '2025-11-30 10:11:12 [info     ] user logged in                 user=ann', {
    text: '2025-11-30 10:11:12 [info     ] user logged in                 user=ann',
    level: 'info',
    time: at,
  }),
  one('loguru', '2025-11-30 10:11:12.345 | WARNING  | shop.cart:add:17 - slow', {
    text: '2025-11-30 10:11:12.345 | WARNING  | shop.cart:add:17 - slow',
    level: 'warn',
    time: atMs,
  }),
  one(
    'loguru, serialize',
    {
      text: '2025-11-30 … | INFO | x\n',
      record: {
        elapsed: { repr: '0:00:01', seconds: 1 },
        exception: null,
        extra: { service: 'shop' },
        file: { name: 'x.py', path: '/x.py' },
        function: 'f',
        level: { icon: 'i', name: 'INFO', no: 20 },
        line: 3,
        message: 'hello',
        module: 'x',
        name: '__main__',
        time: { repr: '2025-11-30 10:11:12.345678+00:00', timestamp: 1764497472.345678 },
      },
    },
    { text: 'hello', level: 'INFO', time: atUs, service: 'shop', fields: { 'record.line': 3 } },
  ),
  one('uvicorn', 'INFO:     127.0.0.1:52788 - "GET / HTTP/1.1" 200 OK', {
    text: 'INFO:     127.0.0.1:52788 - "GET / HTTP/1.1" 200 OK',
    level: 'info',
  }),
  one('gunicorn', '[2025-11-30 10:11:12 +0000] [7] [INFO] Listening at: http://0.0.0.0:8000', {
    text: '[2025-11-30 10:11:12 +0000] [7] [INFO] Listening at: http://0.0.0.0:8000',
    level: 'info',
    time: at,
  }),
  one('celery', '[2025-11-30 10:11:12,345: ERROR/MainProcess] task failed', {
    text: '[2025-11-30 10:11:12,345: ERROR/MainProcess] task failed',
    level: 'error',
    time: atMs,
  }),
]
