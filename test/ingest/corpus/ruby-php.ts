import { at, atMs, atUs, one } from './corpus.ts'

export const rubyAndPhp = [
  one('Ruby Logger', 'W, [2025-11-30T10:11:12.345678 #123]  WARN -- shop: slow', {
    text: 'W, [2025-11-30T10:11:12.345678 #123]  WARN -- shop: slow',
    level: 'warn',
    time: atUs,
    fields: { pid: '123', app: 'shop' },
  }),
  one(
    'Rails',
    'Started GET "/orders/7" for 192.0.2.7 at 2025-11-30 10:11:12 +0000\nProcessing by OrdersController#show as HTML\n  Parameters: {"id"=>"7"}\nCompleted 200 OK in 12ms (Views: 3.1ms)',
    {
      text: 'Started GET "/orders/7" for 192.0.2.7 at 2025-11-30 10:11:12 +0000\nProcessing by OrdersController#show as HTML\n  Parameters: {"id"=>"7"}\nCompleted 200 OK in 12ms (Views: 3.1ms)',
      time: at,
      fields: { method: 'GET', path: '/orders/7', client: '192.0.2.7' },
    },
  ),
  one(
    'lograge',
    'method=GET path=/orders/7 format=html controller=OrdersController action=show status=200 duration=58.33 view=40.43 db=15.26',
    { service: 'OrdersController', fields: { method: 'GET', status: '200', duration_ms: '58.33', duration: '58.33' } },
  ),
  one(
    'lograge, JSON',
    {
      method: 'GET',
      path: '/orders',
      format: 'html',
      controller: 'OrdersController',
      action: 'index',
      status: 500,
      duration: 58.33,
      '@timestamp': '2025-11-30T10:11:12.345Z',
      message: '[500] GET /orders',
    },
    { text: '[500] GET /orders', time: atMs, service: 'OrdersController', fields: { duration_ms: 58.33, status: 500 } },
  ),
  one(
    'Semantic Logger',
    {
      host: 'h',
      application: 'shop',
      timestamp: '2025-11-30T10:11:12.345678Z',
      level: 'info',
      level_index: 2,
      pid: 1,
      thread: 'main',
      name: 'A',
      message: 'x',
    },
    { text: 'x', level: 'info', time: atUs, service: 'shop' },
  ),
  one('a failure of Ruby', "x.rb:3:in 'foo': boom (RuntimeError)\n\tfrom x.rb:6:in 'bar'\n\tfrom x.rb:9:in '<main>'", {
    text: "x.rb:3:in 'foo': boom (RuntimeError)\n\tfrom x.rb:6:in 'bar'\n\tfrom x.rb:9:in '<main>'",
  }),
  one('monolog', '[2025-11-30T10:11:12.345678+00:00] shop.ERROR: it broke {"user":7} []', {
    text: '[2025-11-30T10:11:12.345678+00:00] shop.ERROR: it broke {"user":7} []',
    level: 'error',
    time: atUs,
    service: 'shop',
    fields: { channel: 'shop' },
  }),
  one('monolog, old time', '[2025-11-30 10:11:12] shop.NOTICE: x [] []', {
    text: '[2025-11-30 10:11:12] shop.NOTICE: x [] []',
    level: 'notice',
    time: at,
    service: 'shop',
  }),
  one(
    'monolog, JSON',
    {
      message: 'it broke',
      context: { user: 7 },
      level: 550,
      level_name: 'ALERT',
      channel: 'shop',
      datetime: '2025-11-30T10:11:12.345678+00:00',
      extra: {},
    },
    {
      text: 'it broke',
      level: 'alert',
      time: atUs,
      service: 'shop',
      fields: { 'context.user': 7, 'level.original': 550 },
    },
  ),
  one(
    'Laravel with a stack',
    '[2025-11-30 10:11:12] production.ERROR: boom {"exception":"[object] (Exception(code: 0): boom at /a.php:3)\n[stacktrace]\n#0 /b.php(7): f()\n#1 {main}\n"}',
    {
      text: '[2025-11-30 10:11:12] production.ERROR: boom {"exception":"[object] (Exception(code: 0): boom at /a.php:3)\n[stacktrace]\n#0 /b.php(7): f()\n#1 {main}\n"}',
      level: 'error',
      time: at,
      service: 'production',
    },
  ),
  one('PHP error log', '[30-Nov-2025 10:11:12 UTC] PHP Warning:  Undefined variable $x in /a.php on line 3', {
    text: '[30-Nov-2025 10:11:12 UTC] PHP Warning:  Undefined variable $x in /a.php on line 3',
    level: 'warn',
    time: at,
    fields: { file: '/a.php', line: 3 },
  }),
  one(
    'PHP error log, in a zone',
    '[30-Nov-2025 11:11:12 Europe/Berlin] PHP Fatal error:  Uncaught Exception: boom in /a.php:3\nStack trace:\n#0 {main}\n  thrown in /a.php on line 3',
    {
      text: '[30-Nov-2025 11:11:12 Europe/Berlin] PHP Fatal error:  Uncaught Exception: boom in /a.php:3\nStack trace:\n#0 {main}\n  thrown in /a.php on line 3',
      level: 'fatal',
      time: at,
    },
  ),
  one('PHP-FPM', '[30-Nov-2025 10:11:12] WARNING: [pool www] child 7 exited on signal 11', {
    text: '[30-Nov-2025 10:11:12] WARNING: [pool www] child 7 exited on signal 11',
    level: 'warn',
    time: at,
  }),
]
