import { defineDiagnostics, nowhere, SluiceError } from '../base/index.ts'

/** Errors in the definitions of functions, and errors of functions at run time. */
export const functionDiagnostic = defineDiagnostics('function', {
  'bad-definition': (d: { what: string; name: string; reason: string }) => ({
    message: `The ${d.what} \`${d.name}\` cannot be defined: ${d.reason}.`,
  }),
  failed: (d: { name: string; reason: string }) => ({
    message: `The function \`${d.name}\` failed: ${d.reason}.`,
    why: 'It is not one of the standard functions: whoever defined it can fix it.',
  }),
  'logql-entry': (d: { error: string; series: string }) => ({
    message: `pipeline error: '${d.error}' for series: '${d.series}'`,
    why: 'An entry that a stage could not read would be counted in a wrong series.',
    notes: [
      'Filter such entries with `| __error__=""`, or forget the error with `| drop __error__, __error_details__`.',
    ],
  }),
})

export function refuseDefinition(what: string, name: string, reason: string): never {
  throw new SluiceError([functionDiagnostic('bad-definition', { what, name, reason }, nowhere)])
}

export function failFunction(name: string, reason: string): never {
  throw new SluiceError([functionDiagnostic('failed', { name, reason }, nowhere)])
}
