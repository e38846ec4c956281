import type { Signature } from '../functions/index.ts'
import type { Extension } from '../engine/index.ts'
import { fieldText, type OwnForms, type PipeGenerator, type Writer } from './writer.ts'
import { words } from './dataset.ts'

type CustomPipe = NonNullable<Extension['pipes']>[number]
type Argument = CustomPipe['arguments'][number]

function argumentText(w: Writer, { type }: Argument): string {
  switch (type) {
    case 'number':
      return String(w.pick([0, 1, 2, 5, 0.5, 100]))
    case 'text':
      return JSON.stringify(w.pick(words))
    case 'duration':
      return w.pick(['1h', '5m', '1d', '10ms'])
    case 'field':
      return w.field()
    case 'fields':
      return `(${[...new Set(w.list(1, 3, () => w.field()))].join(', ')})`
  }
}

function pipeOf({ name, arguments: args }: CustomPipe): PipeGenerator {
  return {
    name,
    weight: 1,
    write: (w) => {
      const written = args.flatMap((arg) => {
        if (arg.isOptional !== true) return [argumentText(w, arg)]
        return w.chance(0.5) ? [`${arg.name}=${argumentText(w, arg)}`] : []
      })
      return [name, written.join(', ')].filter((part) => part !== '').join(' ')
    },
  }
}

/** The arguments of a call: literals as declared, then as many columns as the function takes, three where it takes any number. */
function callText(w: Writer, name: string, { params, minArgs, maxArgs }: Signature, column: () => string): string {
  const literals = params.map(({ type }) =>
    type === 'number' ? String(w.pick([0, 1, 0.5, 3])) : JSON.stringify(w.pick(words)),
  )
  const columns = w.list(minArgs, Math.max(minArgs, Math.min(maxArgs, 3)), column)
  return `${name}(${[...literals, ...columns].join(', ')})`
}

/** Generators for the definitions that `createEngine({ extend })` takes. */
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
