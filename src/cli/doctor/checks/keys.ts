import { readFileSync } from 'node:fs'
import { SluiceError } from '../../../base/index.ts'
import { keyFileWarnings, readKeyFile, roles, shortKeyWarnings } from '../../../server/index.ts'
import { ok, problem, warning, type Check, type Finding } from '../check.ts'

/** Checks a key file: it is readable and undamaged, other users cannot read it, and each role has a key. */
function findInFile(path: string): readonly Finding[] {
  const make = 'Make keys with `sluice keys add`; `sluice repair --keys FILE` saves those of a damaged file.'
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return [
      problem(`The key file ${path} cannot be read (${error instanceof Error ? error.message : String(error)}).`, make),
    ]
  }
  try {
    const { records } = readKeyFile(text)
    if (records.length === 0) return [problem(`The key file ${path} has no key, so nobody is let in.`, make)]
    const missing = roles.filter((role) => !records.some((record) => record.roles.has(role)))
    return [
      ok(`The key file ${path} has ${records.length} ${records.length === 1 ? 'key' : 'keys'}.`),
      ...keyFileWarnings(path).map((message) => warning(message, 'Close it: `chmod 600 FILE`.')),
      ...(missing.length === 0
        ? []
        : [
            warning(
              `No key of ${path} has the role ${missing.join(' or ')}.`,
              '`sluice keys add --roles ROLE` makes one.',
            ),
          ]),
    ]
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return [problem(`The key file ${path} cannot be used: ${error.message}`, make)]
  }
}

export const keys: Check = {
  name: 'keys',
  find: ({ env, options }) => {
    if (options.keys !== undefined) return findInFile(options.keys)
    const key = env['SLUICE_API_KEY']?.trim() ?? ''
    const fix = 'Make a file of keys with `sluice keys add` and name it with --keys.'
    if (key === '')
      return [warning('There is neither --keys nor SLUICE_API_KEY: each start makes a key and shows it once.', fix)]
    const short = shortKeyWarnings([key])
    return short.length > 0
      ? short.map((message) => warning(message, fix))
      : [ok('The key is the one of SLUICE_API_KEY, with all roles.')]
  },
}
