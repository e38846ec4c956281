import type { Signature } from '../functions/index.ts'
import type { Extension } from '../engine/index.ts'
import { fieldText, type OwnForms, type PipeGenerator, type Writer } from './writer.ts'

type CustomPipe = NonNullable<Extension['pipes']>[number]
type Argument = CustomPipe['arguments'][number]

interface DrawnArgument {
  readonly text: string
  readonly value: unknown
}

function drawArgument(w: Writer, { type }: Argument): DrawnArgument {
  switch (type) {
    case 'number': {
      const value = w.pick([0, 1, 2, 5, 0.5, 100])
      return { text: String(value), value }
    }
    case 'text': {
      const value = w.word()
      return { text: JSON.stringify(value), value }
    }
    case 'duration': {
      const value = w.pick(['1h', '5m', '1d', '10ms'])
      return { text: value, value }
    }
    case 'field': {
      const value = w.name()
      return { text: fieldText(value), value }
    }
    case 'fields': {
      const value = [...new Set(w.list(1, 3, () => w.name()))]
      return { text: `(${value.map(fieldText).join(', ')})`, value }
    }
  }
}

function pipeOf({ name, arguments: args, body }: CustomPipe): PipeGenerator {
  return {
    name,
    weight: 1,
    write: (w) => {
      const values: Record<string, unknown> = {}
      const written = args.flatMap((arg) => {
        if (arg.isOptional === true && w.chance(0.5)) return []
        const { text, value } = drawArgument(w, arg)
        values[arg.name] = value
        return [arg.isOptional === true ? `${arg.name}=${text}` : text]
      })
      // The pipe changes the columns. A later part that reads a removed column would fail to bind and test nothing.
      const columns = 'columns' in body ? body.columns?.(values as never) : undefined
      if (columns !== undefined) w.fields = Object.keys(columns)
      return [name, written.join(', ')].filter((part) => part !== '').join(' ')
    },
  }
}

/**
 * Writes the arguments of a call: literals as declared, then the maximum number of columns, or three if there is no
 * maximum.
 */
function callText(w: Writer, name: string, { params, minArgs, maxArgs }: Signature, column: () => string): string {
  const literals = params.map(({ type }) =>
    type === 'number' ? String(w.pick([0, 1, 0.5, 3])) : JSON.stringify(w.word()),
  )
  const columns = w.list(minArgs, Math.max(minArgs, Math.min(maxArgs, 3)), column)
  return `${name}(${[...literals, ...columns].join(', ')})`
}

/** Makes generators for the definitions that `createEngine({ extend })` takes. */
export function formsOf({ pipes = [], scalars = [], stats = [] }: Extension): OwnForms {
  return {
    pipes: pipes.map(pipeOf),
    stats: stats.map(({ name, signature }) => ({ name, write: (w) => callText(w, name, signature, () => w.field()) })),
    math: scalars.map(({ name, signature }) => ({
      name,
      write: (w, operand) => callText(w, name, signature, () => (w.chance(0.5) ? fieldText(w.name()) : operand())),
    })),
  }
}
