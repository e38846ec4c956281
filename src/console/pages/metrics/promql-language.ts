import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { Diagnostic, TimeRange } from '../../ask/requests.ts'
import { texts } from '../../app/texts.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { ServerLists, editorLanguage, matching, type Item } from '../../editor/editor-language.ts'
import type { Completions, OffsetRequest, TextRequest } from '../../language/requests.ts'
import type { Metric } from './metric-names.ts'
import { askPrometheus } from './prometheus.ts'
import { AGGREGATIONS, FUNCTIONS, KEYWORDS, coloursOf, wantedAt } from './promql-words.ts'

/** Maximum number of names or values that are read for a completion. */
const MAX_VALUES = 1000

/** Metric and label names that the language service knows. */
export interface KnownMetrics {
  readonly names: readonly string[]
  readonly metrics: readonly Metric[]
  readonly range: TimeRange | undefined
}

/**
 * Language support for PromQL. The server checks expressions and provides names and values; everything else runs here.
 */
export class PromqlLanguage implements EditorLanguage {
  readonly #ask: Ask
  readonly #known: () => KnownMetrics
  readonly #lists = new ServerLists<string>()
  readonly call: EditorLanguage['call']

  constructor(ask: Ask, known: () => KnownMetrics) {
    this.#ask = ask
    this.#known = known
    this.call = editorLanguage({
      check: (request) => this.#check(request),
      colours: ({ text }) => Promise.resolve(coloursOf(text)),
      complete: (request) => this.#complete(request),
      hover: (request) => this.#hover(request),
    }).call
  }

  async #check({ text }: TextRequest): Promise<readonly Diagnostic[]> {
    if (text.trim() === '') return []
    try {
      await askPrometheus(this.#ask, 'parse_query', { query: text })
      return []
    } catch (error) {
      return failureOf(error).diagnostics
    }
  }

  async #complete({ text, offset }: OffsetRequest): Promise<Completions> {
    const { start, end, text: typed, kind, metric, label } = wantedAt(text, offset)
    const span = { start, end }
    const plain = (word: string): Item => ({ label: word, kind: 'field', detail: '', insertText: word })
    if (kind === 'labels') {
      const labels = await this.#list('labels', metric)
      return { span, items: matching(labels.filter((name) => name !== '__name__').map(plain), typed) }
    }
    if (kind === 'values') {
      const values = label === undefined ? [] : await this.#list(`label/${encodeURIComponent(label)}/values`, metric)
      const items = values.map((value): Item => {
        const insertText = value.replaceAll(/["\\]/g, String.raw`\$&`)
        return { label: value, kind: 'value', detail: '', insertText }
      })
      return { span, items: matching(items, typed) }
    }
    if (kind === 'nothing') return { span, items: [] }
    const types = new Map(this.#known().metrics.map(({ name, type }) => [name, type]))
    const items: readonly Item[] = [
      ...this.#known().names.map((name): Item => ({ ...plain(name), detail: types.get(name) ?? '' })),
      ...AGGREGATIONS.map((name): Item => ({
        label: name,
        kind: 'function',
        detail: texts.metrics.aggregation,
        insertText: name,
      })),
      ...FUNCTIONS.map((name): Item => ({
        label: name,
        kind: 'function',
        detail: texts.metrics.fn,
        insertText: `${name}(`,
      })),
      ...KEYWORDS.map((name): Item => ({ label: name, kind: 'keyword', detail: '', insertText: name })),
    ]
    return { span, items: matching(items, typed) }
  }

  async #hover({ text, offset }: OffsetRequest) {
    const { start, end, kind } = wantedAt(text, offset)
    const word = text.slice(start, end)
    const metric = this.#known().metrics.find(({ name }) => word === name || word.startsWith(`${name}_`))
    if (kind !== 'expression' || metric === undefined || word === '') return undefined
    return { span: { start, end }, markdown: `**${word}** ${metric.type}\n\n${metric.help}` }
  }

  /** Reads a list from the server, once for each metric. */
  #list(path: string, metric: string | undefined): Promise<readonly string[]> {
    const { range } = this.#known()
    const times = range === undefined ? {} : { start: String(range.startMs / 1000), end: String(range.endMs / 1000) }
    const match = metric === undefined ? {} : { 'match[]': `{__name__=${JSON.stringify(metric)}}` }
    return this.#lists.read(`${path} ${metric ?? ''}`, async () => {
      const parameters = { ...times, ...match, limit: String(MAX_VALUES) }
      return (await askPrometheus<readonly string[]>(this.#ask, path, parameters)).data
    })
  }
}
