import { SluiceError, collect, isError, printable, type Interval } from '../../base/index.ts'
import { toText, type Row } from '../../data/index.ts'
import { complete } from '../../editor/index.ts'
import type { Engine, QueryResult } from '../../engine/index.ts'
import { printerOf } from '../../lang/log/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { tellDiagnostics } from '../diagnostics-output.ts'
import { outputNamed, outputNames, type ColorWord, type OutputName } from '../output/index.ts'
import { PagedOutput, type Pager } from './pager.ts'
import { entriesNamed, entryText, referenceEntries, referenceNames, unknownName } from '../reference.ts'
import type { Terminal } from '../terminal.ts'
import { parseRange } from '../options/time-option.ts'
import { behind, topValues } from '../options/where-option.ts'
import { readRows } from '../../engine/index.ts'

export interface PromptOptions {
  readonly engine: Engine
  readonly terminal: Terminal
  readonly table: string
  readonly dialect: Dialect
  readonly format: OutputName
  readonly color?: ColorWord | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Zone of times without one, and of shown times. Default: UTC. */
  readonly zone?: string | undefined
  readonly showTz?: string | undefined
  /** True if a spreadsheet must not run CSV cells as formulas. */
  readonly spreadsheet?: boolean | undefined
  readonly timeoutMs: number
  /** Starts a pager for answers higher than the screen. Without it they are written at once. */
  readonly startPager?: (() => Pager) | undefined
}

/** A prompt command, written after a backslash. */
interface PromptCommand {
  readonly form: string
  readonly about: string
  readonly run: (prompt: Prompt, words: readonly string[], signal: AbortSignal) => Promise<void>
}

/** Number of rows that are read for completion of names and values. */
const LEARNED_ROWS = 50_000
const LEARNED_VALUES = 20

const commands: ReadonlyMap<string, PromptCommand> = new Map<string, PromptCommand>([
  [
    'd',
    {
      form: '\\d [field]',
      about: 'the fields and in how many rows they are; of one field its most frequent values',
      run: async (prompt, words, signal) => {
        const [field] = words
        const stage = field === undefined ? 'field_names' : topValues(field, 50)
        await prompt.answer(behind('*', stage), signal)
      },
    },
  ],
  [
    'r',
    {
      form: '\\r [from [to]]',
      about: 'the range of time of the next queries, such as `\\r 1h`; without one all times',
      run: async (prompt, [from, to]) => prompt.setRange(from, to),
    },
  ],
  [
    'f',
    {
      form: '\\f format',
      about: outputNames.join(', '),
      run: async (prompt, [format]) => prompt.setFormat(format),
    },
  ],
  [
    'h',
    {
      form: '\\h [name]',
      about: 'this list, or the pipe, filter or function of that name',
      run: async (prompt, [name]) => prompt.tellHelp(name),
    },
  ],
  ['q', { form: '\\q', about: 'ends; Ctrl-D does too, Ctrl-C ends a query', run: async (prompt) => prompt.end() }],
])

/** Commands of other prompts, typed alone on a line, with the equivalent commands of this prompt. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['help', '\\h'],
  ['quit', '\\q'],
  ['exit', '\\q'],
])

/** Handles the lines that a user types on a terminal. */
export class Prompt {
  readonly #options: PromptOptions
  #range: Interval
  #format: OutputName
  #hasEnded = false
  #fields: readonly string[] = []
  #values: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(options: PromptOptions) {
    this.#options = options
    this.#format = options.format
    this.#range = parseRange(options.from, options.to, { nowNs: options.terminal.nowNs(), zone: options.zone })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Runs a query or a prompt command. Prints errors; rejects only if the output is closed. */
  async take(text: string, signal: AbortSignal): Promise<void> {
    const trimmed = text.trim()
    if (trimmed === '') return
    if (!trimmed.startsWith('\\')) {
      const word = WORDS.get(trimmed.toLowerCase())
      return word === undefined ? this.answer(trimmed, signal) : this.take(word, signal)
    }
    const [name = '', ...words] = trimmed.slice(1).split(/\s+/)
    const command = commands.get(name === '?' ? 'h' : name)
    if (command === undefined) return this.#say(`There is no \\${name}; \\h lists what there is.`)
    await this.#tellingFaults(trimmed, async () => command.run(this, words, signal))
  }

  async answer(text: string, signal: AbortSignal): Promise<void> {
    await this.#tellingFaults(text, async () => {
      const { terminal, table, dialect, color } = this.#options
      const startedMs = terminal.nowMs()
      const result = this.#query(text, signal)
      tellDiagnostics(result.diagnostics, text, terminal)
      const textField = this.#options.engine.catalog.tables.get(table)?.textField ?? 'content'
      const { showTz, spreadsheet } = this.#options
      const shown = { dialect, textField, color, zone: showTz, isForSpreadsheet: spreadsheet }
      const output = outputNamed(this.#format, shown, terminal)
      let passedMs = 0
      await this.#paged(async (paged) => {
        await paged.write(output.begin(result.schema), output.written)
        for await (const batch of result.batches()) {
          if (paged.hasEnded) break
          await paged.write(output.batch(batch), output.written)
        }
        await paged.write(await output.end(), output.written)
        passedMs = terminal.nowMs() - startedMs
      })
      this.#say(`${passedMs.toFixed(1)} ms`)
    })
  }

  setRange(from: string | undefined, to: string | undefined): void {
    this.#range = parseRange(from, to, { nowNs: this.#options.terminal.nowNs(), zone: this.#options.zone })
  }

  setFormat(format: string | undefined): void {
    const found = outputNames.find((name) => name === format)
    if (found === undefined) this.#say(`\\f takes one of ${outputNames.join(', ')}.`)
    else this.#format = found
  }

  async tellHelp(name: string | undefined): Promise<void> {
    if (name !== undefined) return this.#describe(name)
    const width = Math.max(...[...commands.values()].map(({ form }) => form.length))
    for (const { form, about } of commands.values()) this.#say(`${form.padEnd(width)}  ${about}`)
    this.#say('Anything else is a query, such as: level:error | stats by (workload) count() as n')
    this.#say('`help`, `quit` and `exit` alone are commands too; in quotes they are words to search for.')
    this.#say('A line that ends in | or within a bracket or a quoted text goes on in the next one. Tab completes.')
  }

  async #describe(name: string): Promise<void> {
    const entries = referenceEntries()
    const found = entriesNamed(name, entries)
    if (found.length === 0) this.#say(unknownName(name, 'pipe, filter or function', referenceNames(entries)))
    else await this.#paged((paged) => paged.write(found.map(entryText).join('\n')))
  }

  /** Shows the output of `work` in the pager if it is higher than the screen. */
  async #paged(work: (paged: PagedOutput) => Promise<void>): Promise<void> {
    const { terminal, startPager } = this.#options
    const paged = new PagedOutput(terminal, startPager)
    let fault: string | undefined
    try {
      await work(paged)
    } finally {
      fault = await paged.end()
    }
    if (fault !== undefined) this.#say(fault)
  }

  end(): void {
    this.#hasEnded = true
  }

  /** Reads data for `complete`. */
  async learn(signal: AbortSignal): Promise<void> {
    const sample = `* | limit ${LEARNED_ROWS}`
    const rows = async (stage: string) =>
      collect(readRows(this.#query(behind(sample, stage), signal, 'native').batches()))
    const textOf = (row: Row, name: string): string => toText(row.get(name) ?? null)
    this.#fields = (await rows('field_names')).map((row) => textOf(row, 'name'))
    const values = new Map<string, string[]>()
    for (const row of await rows(`facets ${LEARNED_VALUES}`)) {
      const field = textOf(row, 'field_name')
      values.set(field, [...(values.get(field) ?? []), textOf(row, 'field_value')])
    }
    this.#values = values
  }

  /** Returns the completions of the last word of a text, and that word. */
  complete(text: string): readonly [items: readonly string[], word: string] {
    if (text.trimStart().startsWith('\\')) return this.#completeCommand(text)
    const { engine, table, dialect } = this.#options
    const { functions, vocabulary, catalog } = engine
    const found = complete(text, text.length, {
      catalog,
      functions,
      vocabulary,
      table,
      dialect,
      values: (field) => this.#values.get(field) ?? [],
    })
    const word = text.slice(found.span.start)
    const items = found.items.map(({ insertText }) => insertText)
    // Undeclared fields are quoted like declared ones and get the same ending.
    const fieldItem = found.items.find(({ kind }) => kind === 'field')
    const behindName = fieldItem?.insertText.endsWith(':') === true ? ':' : ''
    const own = fieldItem === undefined ? [] : this.#fields.map((name) => this.#written(name) + behindName)
    // Only printable completions are offered, since the terminal shows them unchanged.
    const isOffered = (item: string): boolean => item.startsWith(word) && printable(item) === item
    return [[...new Set([...own, ...items])].filter(isOffered), word]
  }

  #written(field: string): string {
    return printerOf(this.#options.dialect).text(field)
  }

  #completeCommand(text: string): readonly [items: readonly string[], word: string] {
    const [, command = '', word = ''] = /^\s*\\(\S*)\s+(\S*)$/.exec(text) ?? []
    if (command === 'd') return [this.#fields.filter((name) => name.startsWith(word) && printable(name) === name), word]
    if (command === 'h') return [referenceNames(referenceEntries()).filter((name) => name.startsWith(word)), word]
    if (command === 'f') return [outputNames.filter((name) => name.startsWith(word)), word]
    return [[], '']
  }

  #query(text: string, signal: AbortSignal, dialect = this.#options.dialect): QueryResult {
    const { engine, terminal, table, timeoutMs, zone } = this.#options
    const nowNs = terminal.nowNs()
    return engine.query(text, { range: this.#range, dialect, table, nowNs, zone, signal, limits: { timeoutMs } })
  }

  #say(line: string): void {
    this.#options.terminal.writeError(`${line}\n`)
  }

  async #tellingFaults(text: string, work: () => Promise<void>): Promise<void> {
    const { terminal } = this.#options
    try {
      await work()
    } catch (error) {
      if (error instanceof SluiceError) tellDiagnostics(error.diagnostics.filter(isError), text, terminal)
      else if (error instanceof Error && error.name === 'CommandError') this.#say(error.message)
      else throw error
    }
  }
}
