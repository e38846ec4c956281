import { at, atMs, atNs, one, some } from './corpus.ts'

const later = '2025-11-30T10:11:13.000000000Z'

/** Appliances, shell histories, audit logs, and files that describe their own columns. */
export const devices = [
  one('Cisco IOS', '<189>29: *Nov 30 10:11:12.345: %LINK-3-UPDOWN: Interface Gi0/7, changed state to up', {
    text: '%LINK-3-UPDOWN: Interface Gi0/7, changed state to up',
    level: 'notice',
    time: atMs,
    fields: { sequence: '29', mnemonic: 'LINK-3-UPDOWN', facility: 'local7', app: undefined, workload: undefined },
  }),
  one('Cisco IOS with its host', '<188>5512: sw-2: .Nov 30 10:11:12.345: %SW_MATM-4-MACFLAP_NOTIF: Host is flapping', {
    level: 'warn',
    time: atMs,
    fields: { host: 'sw-2', sequence: '5512', mnemonic: 'SW_MATM-4-MACFLAP_NOTIF' },
  }),
  one('Cisco IOS of a file', 'Nov 30 10:11:14 192.0.2.1 29: *Nov 30 10:11:12.345: %SYS-5-CONFIG_I: Configured', {
    text: 'Nov 30 10:11:14 192.0.2.1 29: *Nov 30 10:11:12.345: %SYS-5-CONFIG_I: Configured',
    level: 'notice',
    time: atMs,
    fields: { host: '192.0.2.1', sequence: '29' },
  }),
  one('Cisco IOS with its uptime', '<187>7: 1w2d: %SYS-3-CPUHOG: Task ran long', { level: 'error' }),
  one('Cisco NX-OS', '<189>: 2025 Nov 30 10:11:12 UTC: %ETHPORT-5-IF_UP: Interface Ethernet1/1 is up', {
    level: 'notice',
    time: at,
  }),
  one('Cisco ASA', '<166>Nov 30 2025 10:11:12 fw1 : %ASA-6-302013: Built outbound TCP connection', {
    text: '%ASA-6-302013: Built outbound TCP connection',
    level: 'info',
    time: at,
    fields: { host: 'fw1', mnemonic: 'ASA-6-302013' },
  }),
  one('Cisco ASA without a year', '<166>Nov 30 10:11:12 fw1 %ASA-6-302013: Built', { level: 'info', time: at }),
  one(
    'Fortinet',
    '<189>date=2025-11-30 time=10:11:12 devname="fw" level="warning" msg="login failed" srcip=192.0.2.7',
    {
      text: 'login failed',
      level: 'warning',
      time: at,
      fields: { srcip: '192.0.2.7', facility: 'local7' },
    },
  ),
  one('Fortinet of a file', 'date=2025-11-30 time=10:11:12 tz="+0000" devname="fw" level="notice" action=deny', {
    level: 'notice',
    time: at,
  }),
  one(
    'Fortinet with nanoseconds',
    'date=2025-11-30 time=11:11:12 eventtime=1764497472345678901 tz="+0100" level="notice" action=deny',
    { level: 'notice', time: atNs },
  ),
  some(
    'auditd, several events',
    [
      'type=SYSCALL msg=audit(1764497472.345:7): arch=c000003e syscall=59 key="pay roll"\u001dARCH=x86_64',
      'node=web type=CWD msg=audit(1764497472.345:7): cwd="/home"',
      'type=EOE msg=audit(1764497472.345:7): ',
      `type=USER_LOGIN msg=audit(1764497473.000:8): pid=34 msg='op=login exe="/usr/sbin/sshd" res=failed'`,
    ].join('\n'),
    { time: atMs, fields: { type: 'SYSCALL', audit_id: '7', syscall: '59', key: 'pay roll', ARCH: 'x86_64' } },
    { time: atMs, fields: { type: 'CWD', audit_id: '7', cwd: '/home', host: 'web' } },
    { time: atMs, fields: { type: 'EOE', audit_id: '7' } },
    { time: later, fields: { audit_id: '8', pid: '34', op: 'login', exe: '/usr/sbin/sshd', res: 'failed' } },
  ),
  some(
    'WebLogic',
    [
      "####<Nov 30, 2025 10:11:12 AM GMT> <Error> <JDBC> <app1> <shop> <[ACTIVE] ExecuteThread: '4'> <<anonymous>> <> <> <1764497472345> <BEA-001112> <Test failed.>",
      'java.sql.SQLException: no',
      '####<Nov 30, 2025 1:11:12 PM GMT> <Notice> <Server> <app1> <shop> <main> <<WLS Kernel>> <> <> <1764508272000> <BEA-002613> <Open.>',
    ].join('\n'),
    {
      level: 'error',
      time: atMs,
      fields: { subsystem: 'JDBC', host: 'app1', server: 'shop', message_id: 'BEA-001112' },
    },
    { level: 'notice', time: '2025-11-30T13:11:12.000000000Z', fields: { user: 'WLS Kernel' } },
  ),
  one('WebLogic, standard output', '<Nov 30, 2025 10:11:12 AM GMT> <Warning> <Socket> <BEA-000449> <Closed.>', {
    level: 'warn',
    time: at,
    fields: { subsystem: 'Socket', message_id: 'BEA-000449' },
  }),
  some(
    'log4j XML',
    [
      '<log4j:event logger="com.shop.A" timestamp="1764497472345" level="ERROR" thread="main">',
      '<log4j:message><![CDATA[it <broke>]]></log4j:message>',
      '<log4j:throwable><![CDATA[java.io.IOException: no',
      '\tat a.b(c)]]></log4j:throwable>',
      '</log4j:event>',
      '',
      '<log4j:event logger="com.shop.A" timestamp="1764497473000" level="INFO" thread="main"><log4j:message>a &lt; b</log4j:message></log4j:event>',
    ].join('\n'),
    {
      text: 'it <broke>\njava.io.IOException: no\n\tat a.b(c)',
      level: 'error',
      time: atMs,
      fields: { logger: 'com.shop.A', thread: 'main' },
    },
    { text: 'a < b', level: 'info', time: later },
  ),
  one(
    'log4j 2 XML',
    '<Event xmlns="http://logging.apache.org/log4j/2.0/events" timeMillis="1764497472345" thread="main" level="WARN" loggerName="A"><Message>slow</Message></Event>',
    { text: 'slow', level: 'warn', time: atMs, fields: { logger: 'A' } },
  ),
  some(
    'bash history',
    ['#1764497472', 'ls -l', '#1764497473', 'for a in *; do', 'echo $a; done'].join('\n'),
    { text: '#1764497472\nls -l', time: at },
    { text: '#1764497473\nfor a in *; do\necho $a; done', time: later },
  ),
  some(
    'zsh history',
    ': 1764497472:0;ls -l\n: 1764497473:12;make\n',
    { text: 'ls -l', time: at },
    { text: 'make', time: later, fields: { duration_ms: 12_000 } },
  ),
  one('LTSV', 'time:30/Nov/2025:10:11:12 +0000\thost:192.0.2.7\treq:GET /a HTTP/1.1\tstatus:200\tua:-', {
    time: at,
    fields: { host: '192.0.2.7', method: 'GET', path: '/a', status: '200' },
  }),
  some(
    'LTSV with a message',
    'time:2025-11-30T10:11:12Z\tlevel:warn\tmessage:slow\ntime:2025-11-30T10:11:13Z\tlevel:info\tmessage:up\n',
    { text: 'slow', level: 'warn', time: at },
    { text: 'up', level: 'info', time: later },
  ),
  some(
    'Zeek',
    [
      '#separator \\x09',
      '#set_separator\t,',
      '#empty_field\t(empty)',
      '#unset_field\t-',
      '#path\tconn',
      '#open\t2025-11-30-10-00-00',
      '#fields\tts\tuid\tid.orig_h\tid.orig_p\tservice\tduration\ttunnel_parents',
      '#types\ttime\tstring\taddr\tport\tstring\tinterval\tset[string]',
      '1764497472.345000\tC1\t192.0.2.7\t5353\tdns\t-\t(empty)',
      '1764497473.000000\tC2\t192.0.2.8\t80\thttp\t0.25\t-',
      '#close\t2025-11-30-11-00-00',
    ].join('\n'),
    { time: atMs, fields: { uid: 'C1', 'id.orig_h': '192.0.2.7', 'id.orig_p': 5353, duration: undefined } },
    { time: later, fields: { uid: 'C2', service: 'http', duration: 0.25, tunnel_parents: undefined } },
  ),
  one('logcat, time', '11-30 10:11:12.345 W/ActivityManager( 1234): slow', {
    level: 'warn',
    time: atMs,
    fields: { tag: 'ActivityManager', pid: '1234' },
  }),
  one('logcat with year and zone', '2025-11-30 11:11:12.345 +0100  1234  5678 E AndroidRuntime: it broke', {
    level: 'error',
    time: atMs,
    fields: { tag: 'AndroidRuntime', pid: '1234', tid: '5678' },
  }),
  one('logcat with users', '11-30 10:11:12.345  1000  1234  5678 I Zygote  : up', {
    level: 'info',
    time: atMs,
    fields: { tag: 'Zygote', pid: '1234' },
  }),
  some(
    'logcat, long',
    '[ 11-30 10:11:12.345  1234: 5678 D/Zygote ]\nup\n\n[ 11-30 10:11:13.000  1234: 5678 F/Zygote ]\ndown\n',
    { level: 'debug', time: atMs, fields: { tag: 'Zygote', tid: '5678' } },
    { level: 'fatal', time: later, text: '[ 11-30 10:11:13.000  1234: 5678 F/Zygote ]\ndown' },
  ),
  one('Fluent Bit, standard output', '[0] app.web: [1764497472.345678901, {"level"=>"warn", "message"=>"a => b"}]', {
    text: 'a => b',
    level: 'warn',
    time: atNs,
    fields: { tag: 'app.web' },
  }),
  one('Fluent Bit, standard output with metadata', '[12] app: [[1764497472.345, {}], {"log"=>"up"}]', {
    text: 'up',
    time: atMs,
  }),
  one('Fluent Bit, JSON in its output', 'app: [1764497472.345, {"log":"up","level":"info"}]', {
    text: 'up',
    level: 'info',
    time: atMs,
  }),
  one('Fluentd, file', '2025-11-30T10:11:12+00:00\tapp.web\t{"level":"warn","message":"slow"}', {
    text: 'slow',
    level: 'warn',
    time: at,
    fields: { tag: 'app.web' },
  }),
  one(
    'nginx, pairs behind the combined format',
    '192.0.2.7 - - [30/Nov/2025:10:11:12 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl" "-" rt=0.123 uct="0.001" id=f3',
    { time: at, fields: { status: 200, duration_ms: 123, rt: '0.123', uct: '0.001', id: 'f3' } },
  ),
  one(
    'nginx, pairs behind the common format',
    '192.0.2.7 - - [30/Nov/2025:10:11:12 +0000] "GET /a HTTP/1.1" 200 12 request_id=f3 upstream=-',
    { time: at, fields: { request_id: 'f3', upstream: undefined } },
  ),
  some(
    'Ruby Logger without blanks at the ends of lines',
    [
      'I, [2025-11-30T10:11:12.345678 #8]  INFO -- : Started',
      'F, [2025-11-30T10:11:13.000000 #8] FATAL -- :',
      'A::Error (no):',
      '    3: <h1>',
      '',
      "a.rb:4:in `show'",
    ].join('\n'),
    { level: 'info', time: '2025-11-30T10:11:12.345678000Z' },
    {
      text: "F, [2025-11-30T10:11:13.000000 #8] FATAL -- :\nA::Error (no):\n    3: <h1>\n\na.rb:4:in `show'",
      level: 'fatal',
      time: later,
    },
  ),
  some(
    'times of day alone',
    ['16:07:11.428 - INFO: Copying', '16:07:12.001 - ERR : It cannot be written', '4:07:13 PM done'].join('\n'),
    { level: 'info', time: '2025-12-31T16:07:11.428000000Z' },
    { level: 'error', time: '2025-12-31T16:07:12.001000000Z' },
    { time: '2025-12-31T16:07:13.000000000Z' },
  ),
]
