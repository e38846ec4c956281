import type { JsonValue, Random } from '../../base/index.ts'
import { defineFuzzer, type FuzzerDefinition } from '../runner/fuzzer.ts'
import { shares, tell, type ParserOptions, type ParserReport } from './laws.ts'
import { drawText, textPool } from './texts.ts'

export interface ParserCase extends ParserOptions {
  readonly text: string
}

function prepare({ text, ...options }: ParserCase): ParserReport {
  return tell(text, options)
}

function drawOptions(random: Random): ParserOptions {
  return {
    dialect: random.next() < 0.5 ? 'native' : 'logsql',
    parts: {
      check: random.next() < shares.check,
      format: random.next() < shares.format,
      fixes: random.next() < shares.fixes,
    },
  }
}

/** Yields versions of the text without one piece: first without a half, then without smaller and smaller pieces. */
function* smaller(given: ParserCase): Generator<ParserCase> {
  const { text } = given
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < text.length; at += size) yield { ...given, text: text.slice(0, at) + text.slice(at + size) }
}

export const parserDefinition: FuzzerDefinition<ParserCase, ParserReport> = {
  name: 'parser',
  casesPerBlock: 20_000,
  laws: [{ law: { name: 'reads-soundly', check: ({ fault }) => fault }, share: 1 }],
  block: (block) => {
    const pool = textPool(block)
    return {
      prepare,
      draw: (random) => {
        const { text, how } = drawText(random, pool)
        return { given: { text, ...drawOptions(random) }, uses: new Set([how]) }
      },
    }
  },
  ground: () => ({ prepare }),
  show: ({ text, dialect }) => `${JSON.stringify(text)}${dialect === 'logsql' ? ' (logsql)' : ''}`,
  smaller,
  notes: ({ isSound, codes }) => [...(isSound ? ['sound'] : []), ...codes.map((code) => `told: ${code}`)],
  write: ({ text, dialect, parts }) => ({ text, dialect, parts: { ...parts } }),
  read: (kept: JsonValue) => kept as unknown as ParserCase,
}

/** The fuzzer of the parser: valid, damaged and random texts. */
export const parser = defineFuzzer(parserDefinition)
