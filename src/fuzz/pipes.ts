import { writeFilter } from './filters.ts'
import { rowPipes } from './row-pipes.ts'
import { writeStats } from './stats-calls.ts'
import { tablePipes } from './table-pipes.ts'
import { fieldText, type PipeGenerator } from './writer.ts'

export { statsGenerators } from './stats-calls.ts'

export const pipeGenerators: readonly PipeGenerator[] = [
  { name: 'filter', weight: 3, write: (w) => `${w.pick(['filter', 'where'])} ${writeFilter(w, 1)}` },
  {
    name: 'fields',
    weight: 3,
    write: (w) => {
      const names = [...new Set(w.list(1, 4, () => w.name()))]
      w.fields = names
      if (w.chance(0.1)) return `fields ${names.map(fieldText).join(', ')}, ${w.namePattern(['s*', 'b*'])}`
      return `fields ${names.map(fieldText).join(', ')}`
    },
  },
  { name: 'limit', weight: 4, write: (w) => `limit ${w.pick([1, 2, 5, 10, 100, w.chance(0.1) ? 0 : 3])}` },
  { name: 'offset', weight: 2, write: (w) => `offset ${w.pick([0, 1, 1, 2])}` },
  { name: 'stats', weight: 4, write: writeStats },
  {
    name: 'rename',
    weight: 2,
    write: (w) => {
      if (w.chance(0.1)) return `rename ${w.namePattern(['s*', 'b.*'])} as ${w.pick(['x*', 'y.*'])}`
      const from = w.name()
      const to = w.pick(['a', 'renamed', 'level', 'new name'])
      w.fields = [...new Set([...w.fields.filter((f) => f !== from), to])]
      return `rename ${fieldText(from)} as ${fieldText(to)}`
    },
  },
]

/** All pipe generators: the common pipes and the rare ones. */
export const allPipes: readonly PipeGenerator[] = [...pipeGenerators, ...rowPipes, ...tablePipes]
