import { ok, problem, warning, type Check } from '../check.ts'

export const configuration: Check = {
  name: 'configuration',
  find: ({ configuration: { path, exists, faults, unknownVariables } }) => [
    ...faults.map((fault) =>
      problem(
        fault,
        'Correct it: until then the commands that it names do not start. `sluice config print` shows what is read.',
      ),
    ),
    ...unknownVariables.map(({ name, near }) =>
      warning(
        `The variable ${name} belongs to no option and is not read.`,
        near === undefined
          ? 'Remove it, or look for its name in `sluice serve --help`.'
          : `Remove it, or write ${near}.`,
      ),
    ),
    ...(faults.length > 0
      ? []
      : [ok(exists ? `The file ${path} is read.` : `There is no file ${path}; options come from elsewhere.`)]),
  ],
}
