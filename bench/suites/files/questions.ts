import { markerWord } from '../../datasets.ts'
import type { ShapeName } from './shapes.ts'

/** One way to ask DuckDB a question. */
export interface Form {
  readonly name: string
  /** The statement, with `$P` for the path of the file. */
  readonly sql: string
}

export interface Question {
  readonly name: string
  readonly ours: string
  readonly forms: readonly Form[]
}

type Texts = Readonly<Record<string, string>>

/** Returns the same statement over several table functions of DuckDB, by name. `$F` stands for the table. */
const overEach = (readers: Texts, sql: string): readonly Form[] =>
  Object.entries(readers).map(([name, reader]) => ({ name, sql: sql.replace('$F', () => reader) }))

const columnList = (columns: Texts): string =>
  `{${Object.entries(columns)
    .map(([name, type]) => `'${name}': '${type}'`)
    .join(', ')}}`

/**
 * Returns DuckDB's readers of JSON lines: one that samples the file, and one with the columns that the question needs.
 */
const jsonReaders = (columns: Texts): Texts => ({
  'read_json, detected': "read_json('$P', format = 'newline_delimited')",
  'read_json, columns given': `read_json('$P', format = 'newline_delimited', columns = ${columnList(columns)})`,
})

/** Reads every line as one string `line`, with a delimiter that does not occur. */
const lines = `read_csv('$P', delim = '\x01', quote = '', escape = '', header = false, auto_detect = false, columns = {'line': 'VARCHAR'})`

/** Returns statements over whole lines, by the function that parses the line. */
const overLines = (statements: Texts): readonly Form[] =>
  Object.entries(statements).map(([name, sql]) => ({ name: `lines, ${name}`, sql: sql.replace('$F', () => lines) }))

const selectList = (columns: Texts): string =>
  Object.entries(columns)
    .map(([name, expression]) => `${expression} AS "${name}"`)
    .join(', ')

const countWhere = (condition: string): string => `SELECT count(*) AS n FROM $F WHERE ${condition}`
const countBy = (name: string, expression: string): string =>
  `SELECT ${expression} AS "${name}", count(*) AS n FROM $F GROUP BY 1 ORDER BY 1`
const newestWhere = (columns: Texts, condition: string): string =>
  `SELECT ${selectList(columns)} FROM $F WHERE ${condition} ORDER BY _time DESC LIMIT 20`

/**
 * Returns a condition for the rare word: a substring search first, which is much faster than the regular expression
 * that decides.
 */
const hasWord = (expression: string): string =>
  String.raw`contains(${expression}, '${markerWord}') AND regexp_matches(${expression}, '\b${markerWord}\b')`

const errors = (ours: string, forms: readonly Form[]): Question => ({
  name: 'errors of one service',
  ours: `${ours} | stats count() n`,
  forms,
})
const groups = (member: string, forms: readonly Form[]): Question => ({
  name: `count by ${member}`,
  ours: `* | stats by (${member}) count() n | sort by (${member})`,
  forms,
})
const rareWord = (fields: readonly string[], forms: readonly Form[]): Question => ({
  name: 'rare word, newest 20',
  ours: `${markerWord} | sort by (_time desc) | limit 20 | fields ${fields.join(', ')}`,
  forms,
})

/** Returns the expression of a JSON member of a line as a string. */
const member = (path: string): string => `json_extract_string(line, '$.${path}')`

const flatColumns = {
  _time: 'VARCHAR',
  level: 'VARCHAR',
  workload: 'VARCHAR',
  namespace: 'VARCHAR',
  env: 'VARCHAR',
  cluster: 'VARCHAR',
  pod: 'VARCHAR',
  trace_id: 'VARCHAR',
  status: 'INTEGER',
  duration_ms: 'DOUBLE',
  content: 'VARCHAR',
}
const flatNames = Object.keys(flatColumns)

const flat: readonly Question[] = [
  errors('level:error workload:="checkout-api"', [
    ...overEach(
      jsonReaders({ level: 'VARCHAR', workload: 'VARCHAR' }),
      countWhere("level = 'error' AND workload = 'checkout-api'"),
    ),
    ...overLines({
      'JSON of some': countWhere(
        `contains(line, '"checkout-api"') AND contains(line, '"error"') AND ${member('level')} = 'error' AND ${member('workload')} = 'checkout-api'`,
      ),
    }),
  ]),
  groups('level', [
    ...overEach(jsonReaders({ level: 'VARCHAR' }), countBy('level', 'level')),
    ...overLines({ JSON: countBy('level', member('level')) }),
  ]),
  rareWord(flatNames, [
    ...overEach(
      jsonReaders(flatColumns),
      newestWhere(Object.fromEntries(flatNames.map((name) => [name, name])), hasWord('content')),
    ),
    ...overLines({
      'JSON of some': newestWhere(
        Object.fromEntries(flatNames.map((name) => [name, member(name)])),
        `contains(line, '${markerWord}') AND ${hasWord(member('content'))}`,
      ),
    }),
  ]),
]

const pinoColumns = {
  _time: 'make_timestamp(time * 1000)',
  name: 'name',
  'req.url': 'req.url',
  'res.statusCode': 'res."statusCode"',
  responseTime: '"responseTime"',
  content: 'msg',
}

const pino: readonly Question[] = [
  errors('level:error name:="checkout-api"', [
    ...overEach(jsonReaders({ level: 'INTEGER', name: 'VARCHAR' }), countWhere("level = 50 AND name = 'checkout-api'")),
    ...overLines({
      'JSON of some': countWhere(
        `contains(line, '"checkout-api"') AND ${member('level')} = '50' AND ${member('name')} = 'checkout-api'`,
      ),
    }),
  ]),
  groups('req.method', [
    ...overEach(jsonReaders({ req: 'STRUCT("method" VARCHAR)' }), countBy('req.method', 'req."method"')),
    ...overLines({ JSON: countBy('req.method', member('req.method')) }),
  ]),
  rareWord(Object.keys(pinoColumns), [
    ...overEach(
      jsonReaders({
        time: 'BIGINT',
        name: 'VARCHAR',
        req: 'STRUCT(url VARCHAR)',
        res: 'STRUCT("statusCode" INTEGER)',
        responseTime: 'DOUBLE',
        msg: 'VARCHAR',
      }),
      newestWhere(pinoColumns, hasWord('msg')),
    ),
    ...overLines({
      'JSON of some': newestWhere(
        {
          _time: `make_timestamp(${member('time')}::BIGINT * 1000)`,
          name: member('name'),
          'req.url': member('req.url'),
          'res.statusCode': member('res.statusCode'),
          responseTime: member('responseTime'),
          content: member('msg'),
        },
        `contains(line, '${markerWord}') AND ${hasWord(member('msg'))}`,
      ),
    }),
  ]),
]

const csvColumns = {
  time: 'VARCHAR',
  level: 'VARCHAR',
  service: 'VARCHAR',
  namespace: 'VARCHAR',
  pod: 'VARCHAR',
  trace_id: 'VARCHAR',
  method: 'VARCHAR',
  status: 'INTEGER',
  duration: 'DOUBLE',
  message: 'VARCHAR',
}
const csvReaders = {
  'read_csv, detected': "read_csv('$P')",
  'read_csv, columns given': `read_csv('$P', header = true, delim = ',', quote = '"', escape = '"', auto_detect = false, columns = ${columnList(csvColumns)})`,
}
const csvAnswer = {
  _time: 'time',
  level: 'level',
  service: 'service',
  pod: 'pod',
  method: 'method',
  status: 'status',
  duration: 'duration',
  content: 'message',
}

const csv: readonly Question[] = [
  errors(
    'level:error service:="checkout-api"',
    overEach(csvReaders, countWhere("level = 'error' AND service = 'checkout-api'")),
  ),
  groups('status', overEach(csvReaders, countBy('status', 'status'))),
  rareWord(Object.keys(csvAnswer), overEach(csvReaders, newestWhere(csvAnswer, hasWord('message')))),
]

/**
 * Reads the combined access log format as a table whose columns are separated by quotes and blanks; the time takes two
 * columns.
 */
const accessReader = {
  'read_csv by blanks': `read_csv('$P', header = false, delim = ' ', quote = '"', escape = '"', auto_detect = false, columns = ${columnList(
    {
      client: 'VARCHAR',
      ident: 'VARCHAR',
      person: 'VARCHAR',
      day: 'VARCHAR',
      zone: 'VARCHAR',
      request: 'VARCHAR',
      status: 'INTEGER',
      bytes: 'VARCHAR',
      referer: 'VARCHAR',
      agent: 'VARCHAR',
    },
  )})`,
}
const accessAnswer = {
  _time: String.raw`strptime(regexp_extract(line, '\[([^\]]+)\]', 1), '%d/%b/%Y:%H:%M:%S +0000')`,
  content: 'line',
}
const failedPost = `regexp_matches(line, '"POST [^"]*" 5')`

const access: readonly Question[] = [
  errors('status:>=500 method:=POST', [
    ...overEach(accessReader, countWhere("status >= 500 AND starts_with(request, 'POST ')")),
    ...overLines({
      regexp_matches: countWhere(failedPost),
      'contains first': countWhere(`contains(line, '" 5') AND ${failedPost}`),
    }),
  ]),
  groups('status', [
    ...overEach(accessReader, countBy('status', 'status')),
    ...overLines({
      regexp_extract: countBy('status', String.raw`regexp_extract(line, '" (\d+) ', 1)`),
      split_part: countBy('status', "split_part(line, ' ', 9)"),
    }),
  ]),
  rareWord(Object.keys(accessAnswer), overLines({ 'contains first': newestWhere(accessAnswer, hasWord('line')) })),
]

const logfmtMessage = String.raw`replace(regexp_extract(line, ' msg="((?:[^"\\]|\\.)*)"', 1), '\"', '"')`
const logfmtStatus = String.raw`regexp_extract(line, '" service=\S+ pod=\S+ status=(\d+) ', 1)`
const lastStatus = "split_part(split_part(line, ' status=', -1), ' ', 1)"
const logfmtAnswer = {
  _time: String.raw`regexp_extract(line, '^time=(\S+)', 1)`,
  level: String.raw`regexp_extract(line, ' level=(\w+)', 1)`,
  service: String.raw`regexp_extract(line, '" service=(\S+) ', 1)`,
  status: logfmtStatus,
  content: logfmtMessage,
}
const logfmtErrors = String.raw`regexp_matches(line, '^time=\S+ level=error .*" service=checkout-api ')`

const logfmt: readonly Question[] = [
  errors(
    'level:error service:="checkout-api"',
    overLines({
      regexp_matches: countWhere(logfmtErrors),
      'contains first': countWhere(`contains(line, ' service=checkout-api ') AND ${logfmtErrors}`),
    }),
  ),
  groups(
    'status',
    overLines({ regexp_extract: countBy('status', logfmtStatus), split_part: countBy('status', lastStatus) }),
  ),
  rareWord(Object.keys(logfmtAnswer), overLines({ 'contains first': newestWhere(logfmtAnswer, hasWord('line')) })),
]

const textAnswer = { _time: 'line[:23]', level: "lower(split_part(line, ' ', 3))", content: 'line' }
/** Returns a statement that converts levels to lower case once for each group, not for each line. */
const textLevels = (level: string, condition: string): string =>
  `SELECT lower(upper_level) AS level, n FROM (SELECT ${level} AS upper_level, count(*) AS n FROM $F WHERE ${condition} GROUP BY 1) ORDER BY 1`

const text: readonly Question[] = [
  errors(
    'level:error "com.shop.CheckoutApi"',
    overLines({
      regexp_matches: countWhere(
        String.raw`regexp_matches(line, '^\S+ \S+ ERROR \[[^\]]*\] com\.shop\.CheckoutApi - ')`,
      ),
      'contains first': countWhere(
        String.raw`contains(line, ' com.shop.CheckoutApi - ') AND regexp_matches(line, '^\S+ \S+ ERROR ')`,
      ),
    }),
  ),
  groups(
    'level',
    overLines({
      regexp_extract: textLevels(
        String.raw`regexp_extract(line, '^\S+ \S+ (\w+) \[', 1)`,
        "starts_with(line, '2026-')",
      ),
      split_part: textLevels("split_part(line, ' ', 3)", "starts_with(line, '2026-')"),
    }),
  ),
  rareWord(Object.keys(textAnswer), overLines({ 'contains first': newestWhere(textAnswer, hasWord('line')) })),
]

const syslogPart = (name: string): string =>
  String.raw`regexp_extract(line, '^<\d+>(.{15}) (\S+) ([^ \[]+)\[(\d+)\]: (.*)$', ['clock', 'host', 'app', 'pid', 'content']).${name}`
const syslogAnswer = {
  _time: `strptime('2026 ' || ${syslogPart('clock')}, '%Y %b %d %H:%M:%S')`,
  host: syslogPart('host'),
  app: syslogPart('app'),
  pid: syslogPart('pid'),
  content: syslogPart('content'),
}
const syslogErrors = String.raw`regexp_matches(line, '^<131>.{15} \S+ checkout-api\[')`

const syslog: readonly Question[] = [
  errors(
    'level:error app:="checkout-api"',
    overLines({
      regexp_matches: countWhere(syslogErrors),
      'contains first': countWhere(`contains(line, ' checkout-api[') AND ${syslogErrors}`),
    }),
  ),
  groups(
    'host',
    overLines({
      regexp_extract: countBy('host', String.raw`regexp_extract(line, '^<\d+>.{15} (\S+) ', 1)`),
      split_part: countBy('host', "split_part(line, ' ', 4)"),
    }),
  ),
  rareWord(Object.keys(syslogAnswer), overLines({ 'contains first': newestWhere(syslogAnswer, hasWord('line')) })),
]

/** SQL condition: the text in the line, which begins at the 41st character, is logfmt. */
const isLogfmt = "line[41:46] = 'level='"
const criAnswer = {
  _time: 'line[:30]',
  stream: "split_part(line, ' ', 2)",
  content: `CASE WHEN ${isLogfmt} THEN ${logfmtMessage} ELSE line[41:] END`,
}
const criErrors = String.raw`regexp_matches(line, '^\S+ \S+ F level=error .*" service=checkout-api ')`

const cri: readonly Question[] = [
  errors(
    'level:error service:="checkout-api"',
    overLines({
      regexp_matches: countWhere(criErrors),
      'contains first': countWhere(`contains(line, ' service=checkout-api ') AND ${criErrors}`),
    }),
  ),
  groups(
    'status',
    overLines({
      regexp_extract: countBy('status', `nullif(${logfmtStatus}, '')`),
      split_part: countBy('status', `CASE WHEN ${isLogfmt} THEN ${lastStatus} END`),
    }),
  ),
  rareWord(Object.keys(criAnswer), overLines({ 'contains first': newestWhere(criAnswer, hasWord('line')) })),
]

export const questions: Readonly<Record<ShapeName, readonly Question[]>> = {
  flat,
  pino,
  csv,
  access,
  logfmt,
  text,
  syslog,
  cri,
}
