import { atMs, atNs, one, some, span, trace } from './corpus.ts'

export const dotnet = [
  one(
    'CLEF without a level',
    { '@t': '2025-11-30T10:11:12.3456789Z', '@mt': 'User {Name} logged in', Name: 'ann' },
    { text: 'User {Name} logged in', level: 'info', time: '2025-11-30T10:11:12.345678900Z', fields: { Name: 'ann' } },
  ),
  one(
    'CLEF',
    {
      '@t': '2025-11-30T10:11:12.345Z',
      '@m': 'User "ann" failed',
      '@i': 'a1',
      '@l': 'Warning',
      '@x': 'System.Exception: x',
      '@tr': trace,
      '@sp': span,
      Application: 'shop',
    },
    { text: 'User "ann" failed', level: 'Warning', time: atMs, trace, span, fields: { '@x': 'System.Exception: x' } },
  ),
  one(
    'CLEF with template and text',
    { '@t': '2025-11-30T10:11:12.345Z', '@mt': 'a {B}', '@m': 'a 1', '@l': 'Fatal', Application: 'shop' },
    { text: 'a 1', level: 'Fatal', time: atMs, service: 'shop', fields: { 'content.@mt': 'a {B}' } },
  ),
  one(
    'CLEF, verbose',
    { '@t': '2025-11-30T10:11:12.345Z', '@mt': 'x', '@l': 'Verbose' },
    { text: 'x', level: 'Verbose', time: atMs },
  ),
  one(
    'Serilog JSON',
    {
      Timestamp: '2025-11-30T10:11:12.3450000+01:00',
      Level: 'Information',
      MessageTemplate: 'x {A}',
      RenderedMessage: 'x 1',
      Properties: { A: 1, Application: 'shop' },
    },
    {
      text: 'x 1',
      level: 'Information',
      time: '2025-11-30T09:11:12.345000000Z',
      service: 'shop',
      fields: { 'Properties.A': 1 },
    },
  ),
  one(
    'Serilog JSON, template alone',
    {
      Timestamp: '2025-11-30T10:11:12.345Z',
      Level: 'Error',
      MessageTemplate: 'it broke',
      Exception: 'System.Exception: y',
    },
    { text: 'it broke', level: 'Error', time: atMs },
  ),
  one('Serilog, console', '[10:11:12 ERR] it broke', {
    text: '[10:11:12 ERR] it broke',
    level: 'error',
    time: '2025-12-31T10:11:12.000000000Z',
  }),
  one('Serilog, file', '2025-11-30 10:11:12.345 +00:00 [WRN] slow query', {
    text: '2025-11-30 10:11:12.345 +00:00 [WRN] slow query',
    level: 'warn',
    time: atMs,
  }),
  one(
    'NLog, JSON',
    { time: '2025-11-30T10:11:12.3456789Z', level: 'Error', logger: 'Shop.A', message: 'boom' },
    { text: 'boom', level: 'Error', time: '2025-11-30T10:11:12.345678900Z', fields: { logger: 'Shop.A' } },
  ),
  one('NLog, text', '2025-11-30 10:11:12.3456|WARN|Shop.A|slow', {
    text: '2025-11-30 10:11:12.3456|WARN|Shop.A|slow',
    level: 'warn',
    time: '2025-11-30T10:11:12.345600000Z',
  }),
  one(
    '.NET console, JSON',
    {
      Timestamp: '2025-11-30T10:11:12.345Z',
      EventId: 14,
      LogLevel: 'Information',
      Category: 'Microsoft.Hosting',
      Message: 'Now listening',
      State: { address: 'x' },
    },
    { text: 'Now listening', level: 'Information', time: atMs, fields: { EventId: 14 } },
  ),
  one('.NET console', 'warn: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost', {
    text: 'warn: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost',
    level: 'warn',
  }),
  one('log4net', '2025-11-30 10:11:12,345 [7] FATAL Shop.A - gone', {
    text: '2025-11-30 10:11:12,345 [7] FATAL Shop.A - gone',
    level: 'fatal',
    time: atMs,
  }),
  one(
    'an exception',
    'Unhandled exception. System.InvalidOperationException: x\n   at Shop.A.B() in /a.cs:line 3\n   at Shop.Main()',
    {
      text: 'Unhandled exception. System.InvalidOperationException: x\n   at Shop.A.B() in /a.cs:line 3\n   at Shop.Main()',
      level: 'error',
    },
  ),
  one(
    'nanoseconds are kept',
    { '@t': '2025-11-30T10:11:12.345678901Z', '@mt': 'x', '@l': 'Debug' },
    { text: 'x', level: 'Debug', time: atNs },
  ),
  some(
    '.NET console, every level',
    ['trce', 'dbug', 'info', 'warn', 'fail', 'crit'].map((level) => `${level}: Shop.Cart[7]\n      no room\n`).join(''),
    { text: 'trce: Shop.Cart[7]\n      no room', level: 'trace' },
    { level: 'debug' },
    { level: 'info' },
    { level: 'warn' },
    { level: 'error' },
    { level: 'critical' },
  ),
  one('.NET console with a time', '2025-11-30 10:11:12 fail: Shop.Cart[7]\n      no room', {
    text: '2025-11-30 10:11:12 fail: Shop.Cart[7]\n      no room',
    level: 'error',
    time: '2025-11-30T10:11:12.000000000Z',
  }),
  some(
    '.NET console behind a line with a time',
    '2025-11-30 10:11:12.345 INFO started\nfail: Shop.Cart[7]\n      no room\n',
    { text: '2025-11-30 10:11:12.345 INFO started', level: 'info', time: atMs },
    { text: 'fail: Shop.Cart[7]\n      no room', level: 'error', time: atMs },
  ),
  one('a sentence that begins with fail', '2025-11-30 10:11:12.345 fail fast is off', { time: atMs }),
]
