import type { Random } from '../../base/index.ts'

/** Writes lines of one format as programs do, some of them unusual. */
export interface LineWriter {
  readonly name: string
  readonly lines: (random: Random, count: number) => readonly string[]
}

const TEXTS = [
  'order placed',
  'a "quoted" word',
  "it's",
  'back\\slash',
  'tab\there',
  'é',
  '日本語 😀',
  '',
  '-',
  ' ',
  'a,b;c|d',
  'key=value',
  'x'.repeat(70),
  '{"a":[1]}',
  '\u001b[31mred\u001b[0m',
  'panic: no',
  'true',
  '1.50',
]
const LEVELS = [
  'info',
  'INFO',
  'error',
  'WARN',
  'warning',
  'ERROR',
  'debug',
  'info2',
  '30',
  '50',
  '\u001b[31merror\u001b[0m',
]
const NUMBERS = ['0', '-1', '200', '404', '1.5', '1.50', '-0', '1e3', '12345678901234567', '0.1', '007']
const NAMES = [
  'level',
  'msg',
  'message',
  'time',
  'ts',
  'pid',
  'hostname',
  'name',
  'service',
  'a',
  'a.b',
  'status',
  'trace_id',
  'err',
]

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function isoTime(random: Random, blank: string): string {
  const [month, day, hour] = [1 + random.below(12), 1 + random.below(28), random.below(25)]
  const clock = `${two(hour)}:${two(random.below(60))}:${two(random.below(60))}`
  return `2026-${two(month)}-${two(day)}${blank}${clock}${random.pick(['', '.5', '.123', ',123', '.123456789'])}`
}

function jsonValue(random: Random, depth: number): string {
  const kind = random.below(depth > 2 ? 6 : 9)
  if (kind < 3) return JSON.stringify(random.pick(TEXTS))
  if (kind === 3) return random.pick(NUMBERS)
  if (kind === 4) return random.pick(['true', 'false', 'null'])
  if (kind === 5) return JSON.stringify(`${isoTime(random, 'T')}Z`)
  if (kind === 6) return `[${Array.from({ length: random.below(3) }, () => jsonValue(random, depth + 1)).join(', ')}]`
  return jsonObject(random, depth + 1, 1 + random.below(3))
}

function jsonObject(random: Random, depth: number, members: number): string {
  const names = Array.from({ length: members }, () => random.pick(NAMES))
  return `{${names.map((name) => `"${name}":${jsonValue(random, depth)}`).join(random.pick([',', ', ']))}}`
}

/** Draws lines of a few forms with different values, so that several lines share a template. */
function likeEachOther(random: Random, count: number, form: () => readonly ((random: Random) => string)[]): string[] {
  const forms = [form(), form()]
  return Array.from({ length: count }, () =>
    random
      .pick(forms)
      .map((piece) => piece(random))
      .join(''),
  )
}

const fixed =
  (text: string): (() => string) =>
  () =>
    text

function jsonLines(random: Random, count: number): string[] {
  return likeEachOther(random, count, () => {
    const names = [...new Set(Array.from({ length: 1 + random.below(6) }, () => random.pick(NAMES)))]
    const pieces = names.flatMap((name, i) => {
      const isNested = random.next() < 0.3
      const value = (drawn: Random): string =>
        name === 'time' || name === 'ts' ? JSON.stringify(`${isoTime(drawn, 'T')}Z`) : jsonValue(drawn, 3)
      const open = `${i === 0 ? '' : ','}"${name}":${isNested ? '{"id":' : ''}`
      return [fixed(open), value, fixed(isNested ? '}' : '')]
    })
    return [fixed('{'), ...pieces, fixed('}')]
  })
}

function logfmtWord(random: Random): string {
  const text = random.pick([...TEXTS, ...NUMBERS, ...LEVELS])
  return /[\s"=]/.test(text) || random.next() < 0.3 ? JSON.stringify(text) : text
}

function logfmtLines(random: Random, count: number): string[] {
  return likeEachOther(random, count, () => {
    const names = [...new Set(['time', ...Array.from({ length: 1 + random.below(5) }, () => random.pick(NAMES))])]
    return names.flatMap((name, i) => [
      fixed(`${i === 0 ? '' : ' '}${name}=`),
      (drawn: Random) => (name === 'time' ? isoTime(drawn, 'T') : logfmtWord(drawn)),
    ])
  })
}

function csvCell(random: Random): string {
  const text = random.pick([...TEXTS, ...NUMBERS, ...LEVELS, isoTime(random, ' ')])
  const hasLine = random.next() < 0.03 ? '\nnext' : ''
  return /[",;|\n]/.test(text + hasLine) || random.next() < 0.2 ? `"${(text + hasLine).replaceAll('"', '""')}"` : text
}

function csvLines(random: Random, count: number): string[] {
  const names = [...new Set(Array.from({ length: 3 + random.below(4) }, () => random.pick(NAMES)))]
  while (names.length < 3) names.push(`column${names.length}`)
  const width = (): number => names.length + (random.next() < 0.05 ? random.pick([-1, 1]) : 0)
  const lines = Array.from({ length: count }, () => Array.from({ length: width() }, () => csvCell(random)).join(','))
  return [names.join(','), ...lines]
}

function accessLines(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => {
    const client = random.pick(['10.0.0.1', '192.168.1.20', '::1', '[::1]', 'host.example', '10.0.0.1:80', '-'])
    const month = random.pick(['Jan', 'Feb', 'Mar', 'Oct', 'Foo'])
    const time = `${two(1 + random.below(28))}/${month}/2026:${two(random.below(24))}:${two(random.below(60))}:00 ${random.pick(['+0000', '-0530', '+02:00'])}`
    const request = random.pick([
      'GET / HTTP/1.1',
      'POST /a?b=c%20d HTTP/2.0',
      'GET /a b HTTP/1.1',
      '-',
      '\\x16\\x03',
      'G3T / HTTP/1.0',
      'GET /é HTTP/1.1',
    ])
    const status = random.pick(['200', '404', '500', '-', '1000', '007'])
    const bytes = random.pick(['12', '-', '0', '1234567890123456'])
    const agent = random.pick(['curl/8', '-', '', 'a \\"b\\" c', 'Mozilla/5.0 (X11)'])
    const tail = random.pick(['', ` "-" "${agent}"`, ` "https://e.example/" "${agent}"`, ` "-" "${agent}" 0.003`])
    return `${client} - ${random.pick(['-', 'frank'])} [${time}] "${request}" ${status} ${bytes}${tail}`
  })
}

function textLines(random: Random, count: number): string[] {
  const open = random.pick(['', '', '['])
  const close = open === '' ? '' : ']'
  const blank = random.pick(['T', ' '])
  const frame = (): string =>
    random.pick([
      '\tat com.example.Main(Main.java:1)',
      'Caused by: x',
      '',
      '  File "a.py", line 1',
      'Traceback (most recent call last):',
      'ValueError: no',
      "thread 'main' panicked at a.rs:1:",
      '{"level":"error","msg":"json"}',
      'level=info msg=logfmt a=1',
      '#Fields: date time c-ip',
    ])
  return Array.from({ length: count }, () => {
    if (random.next() < 0.2) return frame()
    const level = random.pick(['INFO', 'WARN', 'ERROR', 'info', 'DEBUG', '[INFO]', '[error]', 'NOTE'])
    const text = random.pick([
      ...TEXTS,
      'worker[12]: said so',
      'kernel: said so',
      'client:80 10.0.0.2:80 0.1 0.1 0.1 200 200 1 2 "GET / HTTP/1.1" "curl"',
      '[17/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12',
      'db@user LOG:  duration: 3 ms',
    ])
    return `${open}${isoTime(random, blank)}${close} ${level}${random.pick([' ', '  ', ': '])}${text}`
  })
}

function syslogLines(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => {
    const priority = random.pick(['13', '134', '132', '191', '192', '0', ''])
    const day = String(1 + random.below(31)).padStart(2, random.pick([' ', '0']))
    const time = `${random.pick(['Jan', 'Mar', 'Dec', 'Foo'])} ${day} ${two(random.below(25))}:${two(random.below(60))}:07`
    const host = random.pick(['web-1', '10.0.0.1', '-', 'é', 'fe80::1'])
    const program = random.pick(['sshd[12]', 'cron', 'a/b[x]', 'haproxy[1]', '-', 'kernel'])
    const text = random.pick([
      ...TEXTS,
      'said so',
      'error: failed',
      '@cee:{"a":1}',
      '{"level":"error","msg":"json"}',
      '{a} word',
      'CEF:0|a|b|1|2|c|3|src=10.0.0.1',
      '10.0.0.1:80 [17/Mar/2026:10:00:00.123] web be/s1 0/0/1/2/3 200 12 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/1.1"',
      'word',
    ])
    return `<${priority}>${time} ${host} ${program}: ${text}`
  })
}

/** Draws text without a time. Some words in it look like a level, a form or a further line of a failure. */
function messageLines(random: Random, count: number): string[] {
  const word = (): string =>
    random.pick([
      random.pick(['order', 'placed', 'for', 'user', 'the', 'é', 'worker-1', 'x'.repeat(random.below(110))]),
      random.pick(['error', 'ERROR', 'ERR', 'info', 'Info', 'WRN', 'fail', 'FINE', 'errors', 'INFORMATION', 'trce']),
      random.pick([
        'Error',
        'IOException',
        'Caused',
        'by',
        'at',
        'main()',
        'panic',
        'goroutine',
        'thread',
        'Traceback',
      ]),
      random.pick([
        'Jan',
        'Monday',
        'mar',
        'May',
        '2',
        '12',
        '10:00:00',
        '2026-03-17',
        '2026-03-17T10:00:00Z',
        'I0317',
      ]),
      random.pick([
        'a=1',
        'msg="two',
        'level=error',
        '%LINK-3-UPDOWN',
        'D/tag(1)',
        '[10]',
        '(error)',
        '{"a":1}',
        '2026',
      ]),
      random.pick(['PHP', 'Started', 'http', 'https', 'node=a', 'type=A', 'I,', 'Warning', 'Notice', 'GET', '|']),
    ])
  const separator = (): string =>
    random.pick([' ', ' ', ' ', ': ', ': ', '  ', ' - ', ', ', '\t', ' "', ':', '=', ' [', '] '])
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 1 + random.below(random.next() < 0.5 ? 3 : 12) }, () => word() + separator())
    return `${random.pick(['', '', '', '', ' ', '\t', '# '])}${words.join('')}`
  })
}

function containerLines(random: Random, count: number): string[] {
  const inner = random.pick([logfmtLines, jsonLines, textLines, accessLines, syslogLines, mixedLines])(random, count)
  return inner.map((line) => {
    const time = `2026-03-17T10:00:0${random.below(10)}.${random.pick(['1', '123456789', '12345'])}Z`
    return `${time} ${random.pick(['stdout', 'stderr'])} ${random.pick(['F', 'F', 'F', 'P'])} ${line}`
  })
}

/** Draws messages. Some of them follow a line with a time or with pairs, which they continue. */
function mixedLines(random: Random, count: number): string[] {
  return messageLines(random, count).flatMap((line) =>
    random.next() < 0.8 ? [line] : [line, ...random.pick([textLines, logfmtLines])(random, 1)],
  )
}

/** Draws JSON lines, some with a panic, truncated, or otherwise readable only by the general reader. */
function brokenJsonLines(random: Random, count: number): string[] {
  return jsonLines(random, count).flatMap((line) => {
    if (random.next() < 0.7) return [line]
    return random.pick([
      ['panic: no', '', 'goroutine 1 [running]:', 'main.main()', '\t/a.go:1 +0x1', 'exit status 2'],
      [line.slice(0, -1 - random.below(4))],
      [`${line}${line}`],
      [line.replace('{', '{"x":NaN,')],
      [`\uFEFF${line}`],
      [`\0\0${line}`],
      ['Listening on port 80'],
      ['2026-03-17T10:00:09Z INFO said so', '  and more'],
    ])
  })
}

/** Draws lines with prefixes, as tools print the logs of several containers. */
function prefixedLines(random: Random, count: number): string[] {
  const inner = random.pick([logfmtLines, jsonLines, textLines])(random, count)
  return inner.map((line) => {
    const prefix = random.pick(['web-1  | ', 'db | ', 'web-abcde app ', '[pod/web-abcde/app] ', ''])
    return `${prefix}${random.pick(['', '2026-03-17T10:00:08.5Z '])}${line}`
  })
}

export const lineWriters: readonly LineWriter[] = [
  { name: 'JSON', lines: jsonLines },
  {
    name: 'nested JSON',
    lines: (random, count) => Array.from({ length: count }, () => jsonObject(random, 0, 1 + random.below(4))),
  },
  { name: 'logfmt', lines: logfmtLines },
  { name: 'CSV', lines: csvLines },
  { name: 'access log', lines: accessLines },
  { name: 'text', lines: textLines },
  { name: 'syslog', lines: syslogLines },
  { name: 'container', lines: containerLines },
  { name: 'broken JSON', lines: brokenJsonLines },
  { name: 'prefixed', lines: prefixedLines },
]
