import { defineFuzzer, type Fuzzer, type FuzzerDefinition } from '../runner/fuzzer.ts'
import { compareLanguage, drawCase, type ReadCase, type ReadLanguage } from './language.ts'
import { logqlReaders } from './logql.ts'
import { loadReader, unexplained, type VerdictComparison } from './second-reader.ts'
import { traceqlReaders } from './traceql.ts'

/** A case that both parsers have read. */
interface ReadTwice extends ReadCase {
  /** `undefined` if the package of the other parser is not installed. */
  readonly comparison: VerdictComparison | undefined
}

/** Yields the text without one substring, shortest results first. */
function* smaller({ text }: ReadCase): Generator<ReadCase> {
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < text.length; at += size) {
      yield { text: text.slice(0, at) + text.slice(at + size), isDamaged: true }
    }
}

function definitionOf(language: ReadLanguage): FuzzerDefinition<ReadCase, ReadTwice> {
  const open = async (): Promise<{ prepare: (given: ReadCase) => ReadTwice }> => {
    const other = await loadReader(language.load)
    return {
      prepare: (given) => ({
        ...given,
        comparison: other === undefined ? undefined : compareLanguage(given.text, language, other),
      }),
    }
  }
  return {
    name: `${language.name}-readers`,
    casesPerBlock: 10_000,
    laws: [
      {
        law: {
          name: 'readers-agree',
          check: ({ text, comparison }) => comparison && unexplained(text, comparison),
        },
        share: 1,
      },
      {
        law: {
          name: 'grammar-is-read',
          check: ({ text, isDamaged, comparison }) =>
            isDamaged || comparison?.isAccepted !== false ? undefined : `\`${text}\` is refused`,
        },
        share: 1,
      },
    ],
    block: async () => ({
      ...(await open()),
      draw: (random) => {
        const given = drawCase(language, random)
        return { given, uses: new Set([given.isDamaged ? 'damaged' : 'drawn']) }
      },
    }),
    ground: open,
    show: ({ text }) => JSON.stringify(text),
    smaller,
    notes: ({ comparison }) => {
      if (comparison === undefined) return ['without the second reader']
      const { isAccepted, reason } = comparison
      return [isAccepted ? 'accepted' : 'refused', ...(reason === undefined ? [] : [`differs: ${reason}`])]
    },
    write: ({ text, isDamaged }) => ({ text, isDamaged }),
    read: (kept) => kept as unknown as ReadCase,
  }
}

/** Fuzzers that compare how two parsers judge texts of one language. */
export const readersFuzzers: readonly Fuzzer[] = [logqlReaders, traceqlReaders].map((language) =>
  defineFuzzer(definitionOf(language)),
)
