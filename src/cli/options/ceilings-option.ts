import { CommandError } from '../../base/index.ts'
import type { AgentOptions, Ceilings } from '../../mcp/index.ts'
import { parseSize } from './size-option.ts'
import { parseLengthMs } from './time-option.ts'

/** Maximum number of rows that a ceiling can allow. */
const MAX_ROWS = 1e15

export const ceilingsHelp =
  'what one call of an agent may read, such as rows=50000000,bytes=64MiB,time=10s (default: rows=100000000,bytes=256MiB,time=30s)'

const readers: Readonly<Record<string, (text: string, option: string) => Partial<Ceilings>>> = {
  rows: (text, option) => {
    const rows = Number(text)
    if (!/^\d+$/.test(text) || rows < 1 || rows > MAX_ROWS)
      throw new CommandError(`${option} needs rows from 1 to ${MAX_ROWS}, not \`${text}\`.`)
    return { rows }
  },
  bytes: (text, option) => ({ bytes: parseSize(text, option, '1MiB') }),
  time: (text, option) => ({ ms: parseLengthMs(text, option, '100ms', '1h') }),
}

/**
 * Parses `rows=N,bytes=SIZE,time=LENGTH`, each optional. With `user=NAME` the ceilings apply only to the keys of this
 * user. Throws CommandError.
 */
function parsePart(
  text: string,
  option: string,
): { readonly user: string | undefined; readonly ceilings: Partial<Ceilings> } {
  let user: string | undefined
  let ceilings: Partial<Ceilings> = {}
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(part.trim()) ?? []
    if (name === 'user') user = value
    else {
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined
      if (read === undefined)
        throw new CommandError(
          `${option} needs rows=N, bytes=SIZE or time=LENGTH with commas between them, not \`${part}\`.`,
        )
      ceilings = { ...ceilings, ...read(value, option) }
    }
  }
  return { user, ceilings }
}

/** Returns the ceilings of all keys, and those of the keys of single users. Throws CommandError. */
export function parseCeilings(texts: readonly string[], option: string): AgentOptions {
  const parts = texts.map((text) => parsePart(text, option))
  const own = parts.filter(({ user }) => user !== undefined)
  return {
    ceilings: Object.assign(
      {},
      ...parts.filter(({ user }) => user === undefined).map((each) => each.ceilings),
    ) as Partial<Ceilings>,
    ceilingsOf: Object.fromEntries(own.map(({ user, ceilings }) => [user ?? '', ceilings])),
  }
}
