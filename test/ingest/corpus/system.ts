import { at, atMs, atUs, one, some } from './corpus.ts'

const iso = '2025-11-30T10:11:12Z'

export const system = [
  one('syslog, RFC 3164', "<34>Nov 30 10:11:12 web su[12]: 'su root' failed", {
    text: "'su root' failed",
    level: 'critical',
    time: at,
    service: 'su',
    fields: { host: 'web', pid: '12', facility: 'auth' },
  }),
  one('syslog, RFC 3164, a day of one digit', '<13>Nov  3 10:11:12 web app: x', {
    text: 'x',
    level: 'notice',
    time: '2025-11-03T10:11:12.000000000Z',
    service: 'app',
  }),
  one('syslog, RFC 5424', '<165>1 2025-11-30T10:11:12.345678Z web shop 7 ID47 [a@1 k="v \\"q\\"" n="1"] an event', {
    text: 'an event',
    level: 'notice',
    time: atUs,
    service: 'shop',
    fields: { host: 'web', pid: '7', msgid: 'ID47', 'a@1.k': 'v "q"', facility: 'local4' },
  }),
  one('syslog, RFC 5424, nothing known', '<11>1 - - - - - - it broke', { text: 'it broke', level: 'error' }),
  one('syslog of a file', 'Nov 30 10:11:12 web sshd[7]: Accepted publickey for ann', {
    text: 'Nov 30 10:11:12 web sshd[7]: Accepted publickey for ann',
    time: at,
    service: 'sshd',
    fields: { host: 'web', pid: '7' },
  }),
  one('rsyslog with ISO times', '2025-11-30T10:11:12.345678+00:00 web cron[7]: (root) CMD (x)', {
    time: atUs,
    service: 'cron',
    fields: { host: 'web' },
  }),
  one('journalctl, short-iso', '2025-11-30T10:11:12+0000 web systemd[1]: Started shop.', {
    time: at,
    service: 'systemd',
  }),
  one('journalctl, short', 'Nov 30 10:11:12 web kernel: eth0: link up', {
    time: at,
    service: 'kernel',
    fields: { host: 'web' },
  }),
  one('journalctl, short-precise', 'Nov 30 10:11:12.345678 web app[7]: x', { service: 'app', time: atUs }),
  one('auditd', 'type=SYSCALL msg=audit(1764497472.345:7): arch=c000003e syscall=59 success=yes', {
    time: atMs,
    fields: { type: 'SYSCALL', syscall: '59' },
  }),
  some(
    'update-alternatives',
    [
      'update-alternatives 2025-11-30 10:11:12: run with --quiet --remove pager',
      'update-alternatives 2025-11-30 10:11:13: link group pager updated',
    ].join('\n'),
    { time: at },
    {
      time: '2025-11-30T10:11:13.000000000Z',
      text: 'update-alternatives 2025-11-30 10:11:13: link group pager updated',
    },
  ),
  some(
    'apt history',
    [
      '',
      'Start-Date: 2025-11-30  10:11:12',
      'Commandline: apt-get install less',
      'End-Date: 2025-11-30  10:11:14',
      '',
      'Start-Date: 2025-11-30  10:11:13',
      'Remove: less:amd64 (590-2)',
      'End-Date: 2025-11-30  10:11:15',
    ].join('\n'),
    {
      time: at,
      service: 'apt',
      text: 'Start-Date: 2025-11-30  10:11:12\nCommandline: apt-get install less\nEnd-Date: 2025-11-30  10:11:14',
    },
    { time: '2025-11-30T10:11:13.000000000Z', service: 'apt' },
  ),
  one(
    'a time behind the name of a program, within a record that has one',
    '2025-11-30 10:11:12 renewed\nexpires 2026-02-28 10:11:12 at the latest',
    { time: at, text: '2025-11-30 10:11:12 renewed\nexpires 2026-02-28 10:11:12 at the latest' },
  ),
  one('Android logcat', '11-30 10:11:12.345  1234  5678 W ActivityManager: slow', {
    text: '11-30 10:11:12.345  1234  5678 W ActivityManager: slow',
    level: 'warn',
    time: atMs,
    fields: { tag: 'ActivityManager', pid: '1234' },
  }),
  one('Android logcat, brief', 'E/AndroidRuntime( 1234): FATAL EXCEPTION: main', {
    level: 'error',
    fields: { tag: 'AndroidRuntime', pid: '1234' },
  }),
  one(
    'Kubernetes event',
    {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name: 'x', namespace: 'prod' },
      involvedObject: { kind: 'Pod', name: 'shop-1', namespace: 'prod' },
      reason: 'BackOff',
      message: 'Back-off restarting',
      type: 'Warning',
      lastTimestamp: '2025-11-30T10:11:12Z',
      count: 3,
    },
    {
      text: 'Back-off restarting',
      level: 'warn',
      time: at,
      service: 'shop-1',
      fields: { reason: 'BackOff', type: 'Warning' },
    },
  ),
  one(
    'Kubernetes audit',
    {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'a',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/pods',
      verb: 'list',
      user: { username: 'ann' },
      requestReceivedTimestamp: '2025-11-30T10:11:12.345678Z',
      stageTimestamp: '2025-11-30T10:11:13Z',
    },
    { text: '/api/v1/pods', level: 'Metadata', time: atUs, fields: { verb: 'list' } },
  ),
  one(
    'Terraform',
    {
      '@level': 'info',
      '@message': 'Terraform 1.9',
      '@module': 'terraform.ui',
      '@timestamp': '2025-11-30T10:11:12.345678Z',
      type: 'version',
    },
    { text: 'Terraform 1.9', level: 'info', time: atUs, service: 'terraform.ui' },
  ),
  one('Jenkins', '2025-11-30 10:11:12.345+0000 [id=7]\tWARNING\th.m.X#y: slow', { level: 'warn', time: atMs }),
  one('Postfix', 'Nov 30 10:11:12 mail postfix/smtpd[7]: connect from unknown[192.0.2.7]', {
    time: at,
    service: 'postfix/smtpd',
  }),
  one('dmesg', '[12345.678901] usb 1-1: new high-speed USB device', {
    text: '[12345.678901] usb 1-1: new high-speed USB device',
  }),
  some('lines without times', 'one\ntwo\n', { text: 'one' }, { text: 'two' }),
  some(
    'a line without a time behind one with',
    '2025-11-30T10:11:12Z INFO one\ntwo\n2025-11-30T10:11:12.345Z INFO three\n',
    { text: '2025-11-30T10:11:12Z INFO one\ntwo', level: 'info', time: at },
    { text: '2025-11-30T10:11:12.345Z INFO three', level: 'info', time: atMs },
  ),
  one('Rust, env_logger', '[2025-11-30T10:11:12Z WARN  shop::cart] slow', { level: 'warn', time: at }),
  one('Rust, tracing', '2025-11-30T10:11:12.345678Z  INFO shop::cart: ready port=80', { level: 'info', time: atUs }),
  one(
    'Rust, tracing JSON',
    {
      timestamp: '2025-11-30T10:11:12.345678Z',
      level: 'ERROR',
      fields: { message: 'boom', code: 7 },
      target: 'shop::cart',
    },
    { text: 'boom', level: 'ERROR', time: atUs, fields: { target: 'shop::cart', 'fields.code': 7 } },
  ),
  one('a panic of Rust', "thread 'main' panicked at src/main.rs:2:5:\nboom", { level: 'error' }),
  one(
    'Windows, Get-WinEvent',
    {
      TimeCreated: '/Date(1764497472345)/',
      Id: 4625,
      Level: 2,
      LevelDisplayName: 'Fehler',
      ProviderName: 'Security-Auditing',
      LogName: 'Security',
      Message: 'An account failed to log on.',
    },
    {
      text: 'An account failed to log on.',
      level: 'error',
      time: '2025-11-30T10:11:12.345000000Z',
      service: 'Security-Auditing',
      fields: { 'level.original': 2, Id: 4625 },
    },
  ),
  ...[
    [0, 'info'],
    [1, 'critical'],
    [3, 'warn'],
    ['4', 'info'],
    [5, 'verbose'],
  ].map(([level, name]) =>
    one(
      `Windows, level ${level}`,
      { level, EventID: 41, Channel: 'System', message: 'x', TimeCreated: '2025-11-30T10:11:12Z' },
      { text: 'x', level: String(name), time: at },
    ),
  ),
  one(
    'Windows, the name of the level alone',
    { LevelDisplayName: 'Warning', Message: 'x', TimeCreated: '2025-11-30T10:11:12Z' },
    { text: 'x', level: 'warn', time: at },
  ),
  ...Object.entries({
    evtx_dump: { Provider: { '#attributes': { Name: 'P' } }, TimeCreated: { '#attributes': { SystemTime: iso } } },
    xml2js: { Provider: { $: { Name: 'P' } }, TimeCreated: { $: { SystemTime: iso } } },
    xmltodict: { Provider: { '@Name': 'P' }, TimeCreated: { '@SystemTime': iso } },
    Fluentd: { Provider: { Name: 'P' }, TimeCreated: { SystemTime: iso } },
  }).map(([name, system]) =>
    one(
      `Windows, XML by ${name}`,
      { Event: { System: { ...system, EventID: 4625, Level: 2 } } },
      { level: 'error', time: at, service: 'P', fields: { 'Event.System.EventID': 4625 } },
    ),
  ),
  one(
    'a level of 2 that is not of Windows',
    { Level: 2, Message: 'x', time: '2025-11-30T10:11:12Z' },
    { text: 'x', level: 2 as never, time: at },
  ),
  ...[
    ['RFC 3164', '<30>Nov 30 10:11:12 web app[7]: '],
    ['RFC 5424', '<30>1 2025-11-30T10:11:12Z web app 7 - - '],
    ['a file', 'Nov 30 10:11:12 web app[7]: '],
    ['journalctl', '2025-11-30T10:11:12+00:00 web app[7]: '],
  ].map(([name, head]) =>
    one(`syslog of ${name}, an object`, `${head}{"level":"error","msg":"no room","user":{"id":7},"host":"inner"}`, {
      text: 'no room',
      level: 'error',
      time: at,
      service: 'app',
      fields: { 'user.id': 7, host: 'inner', pid: '7' },
    }),
  ),
  one(
    'syslog, an object with a time and names of one field',
    '<30>Nov 30 10:11:13 web app: {"severity":"WARN","time":"2025-11-30T10:11:12Z","ts":1,"message":"up","msg":"other"}',
    { text: 'up', level: 'WARN', time: at, fields: { '_time.ts': 1, 'content.msg': 'other', facility: 'daemon' } },
  ),
  one('syslog, an object whose time cannot be read', '<30>Nov 30 10:11:12 web app: {"time":"soon","msg":"up"}', {
    text: 'up',
    level: 'info',
    time: at,
  }),
  one('syslog, an object behind a word', '<30>Nov 30 10:11:12 web app: start {"level":"error"}', {
    text: 'start {"level":"error"}',
    level: 'info',
    time: at,
  }),
  one('syslog, what only begins as an object', '<30>Nov 30 10:11:12 web app: {level: error}', {
    text: '{level: error}',
    level: 'info',
    time: at,
  }),
  some(
    'journalctl with the unit',
    'Sun 2025-11-30 10:11:12 UTC web ssh.service[7]: Failed password\nSun 2025-11-30 10:11:13 UTC web kernel: oops\n',
    { text: 'Sun 2025-11-30 10:11:12 UTC web ssh.service[7]: Failed password', time: at, service: 'ssh.service' },
    { time: '2025-11-30T10:11:13.000000000Z', service: 'kernel', fields: { host: 'web' } },
  ),
]
