import { present } from '../../src/base/index.ts'

/** Kinds of expected results of a query. */
export const EXPECTATIONS = ['rows', 'ordered rows', 'plan', 'optimized plan', 'sql sqlite', 'diagnostics'] as const
export type ExpectationKind = (typeof EXPECTATIONS)[number]

export interface Expectation {
  readonly kind: ExpectationKind
  /** Lines of the section, without comments and blank lines. */
  readonly lines: readonly string[]
}

/** One query of a sheet with its expected results. */
export interface SheetCase {
  readonly title: string
  readonly line: number
  readonly dialect: 'native' | 'logsql'
  readonly query: string
  /** Rows that the query runs over, as JSON lines. */
  readonly data: readonly string[]
  readonly expectations: readonly Expectation[]
  /** Settings and backends under which the case does not run, each with the reason. */
  readonly exemptions: ReadonlyMap<string, string>
}

interface Section {
  readonly head: string
  readonly line: number
  readonly lines: readonly string[]
}

const MARK = '=== '

function sectionsOf(text: string): readonly Section[] {
  const sections: { head: string; line: number; lines: string[] }[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.startsWith(MARK)) sections.push({ head: line.slice(MARK.length).trim(), line: i + 1, lines: [] })
    else if (line.trim() !== '' && !line.startsWith('//')) sections.at(-1)?.lines.push(line)
  }
  return sections
}

function fail(section: Section, message: string): never {
  throw new Error(`line ${section.line}: ${message}`)
}

/**
 * Parses a sheet, which consists of these sections:
 *
 *     === data                          rows for the queries that follow, as JSON lines
 *     === query TITLE                   a query; `=== logsql TITLE` for one in the `logsql` dialect
 *     === rows                          expected rows as JSON lines, in any order
 *     === ordered rows                  expected rows in order
 *     === plan | optimized plan         expected plan before or after optimization
 *     === sql sqlite                    expected SQL statement
 *     === diagnostics                   one line each: severity, code, marked text, message
 *     === except NAME: REASON           a backend or setting under which the query does not run
 *
 * Lines that begin with `//` and blank lines are ignored. Throws on an unknown section or a query without expectations.
 */
export function parseSheet(text: string): readonly SheetCase[] {
  const cases: SheetCase[] = []
  let data: readonly string[] | undefined
  let current:
    | {
        readonly base: Section
        readonly dialect: SheetCase['dialect']
        readonly expectations: Expectation[]
        readonly exemptions: Map<string, string>
      }
    | undefined
  const close = (): void => {
    if (current === undefined) return
    const { base, dialect, expectations, exemptions } = current
    if (expectations.length === 0) fail(base, 'a query without expectations')
    cases.push({
      title: base.head.slice(base.head.indexOf(' ') + 1),
      line: base.line,
      dialect,
      query: base.lines.join('\n'),
      data: data ?? [],
      expectations,
      exemptions,
    })
    current = undefined
  }
  for (const section of sectionsOf(text)) {
    const { head, lines } = section
    const expectation = EXPECTATIONS.find((kind) => kind === head)
    const start = /^(query|logsql) \S/.exec(head)
    const exception = /^except ([^:]+): (.+)$/.exec(head)
    if (head === 'data') {
      close()
      data = lines
    } else if (start !== null) {
      close()
      current = {
        base: section,
        dialect: start[1] === 'logsql' ? 'logsql' : 'native',
        expectations: [],
        exemptions: new Map(),
      }
    } else if (expectation !== undefined && current !== undefined) {
      current.expectations.push({ kind: expectation, lines })
    } else if (exception !== null && current !== undefined) {
      current.exemptions.set(present(exception[1]), present(exception[2]))
    } else {
      fail(section, `a sheet knows no \`${head}\` here`)
    }
  }
  close()
  return cases
}

/**
 * Returns the sheet with the expectations that `actual` returns. Everything else stays unchanged, as do expectations
 * for which `actual` returns `undefined`.
 */
export function rewriteSheet(
  text: string,
  actual: (line: number, kind: ExpectationKind) => readonly string[] | undefined,
): string {
  const out: string[] = []
  let queryLine = 0
  let isReplaced = false
  for (const [i, line] of text.split('\n').entries()) {
    if (line.startsWith(MARK)) {
      const head = line.slice(MARK.length).trim()
      if (/^(query|logsql) /.test(head)) queryLine = i + 1
      const kind = EXPECTATIONS.find((candidate) => candidate === head)
      const lines = kind === undefined ? undefined : actual(queryLine, kind)
      isReplaced = lines !== undefined
      out.push(line, ...(lines ?? []))
    } else if (!isReplaced || line.trim() === '' || line.startsWith('//')) {
      out.push(line)
    }
  }
  return out.join('\n')
}
