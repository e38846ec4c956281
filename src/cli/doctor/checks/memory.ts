import { sizeText } from '../../../base/index.ts'
import { divideMemory } from '../../../server/index.ts'
import { availableBytes } from '../../../system/index.ts'
import { ok, problem, warning, type Check } from '../check.ts'

export const memory: Check = {
  name: 'memory',
  find: ({ memoryBytes, storeBytes, workers, options: { data } }) => {
    const machineBytes = availableBytes()
    const budget = divideMemory({ memoryBytes, storeBytes, workers, hasFiles: data !== undefined })
    const { totalBytes } = budget
    const has = `the machine or its container has ${sizeText(machineBytes)}`
    if (totalBytes > machineBytes)
      return [
        problem(
          `Sluice would use up to ${sizeText(totalBytes)}, but ${has}.`,
          'Give a smaller --memory, or more memory: the system ends a process that takes more than there is.',
        ),
      ]
    const text = `Sluice uses up to ${sizeText(totalBytes)}, and ${has}.`
    return budget.workers < workers
      ? [
          warning(
            `${text} That is enough for ${budget.workers} of ${workers} query workers.`,
            'Give more --memory, or fewer --workers.',
          ),
        ]
      : [ok(text)]
  },
}
