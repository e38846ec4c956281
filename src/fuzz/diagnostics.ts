import { defineDiagnostics } from '../base/index.ts'

export const fuzzDiagnostic = defineDiagnostics('fuzz', {
  'package-missing': () => ({
    message: '`sluice/fuzz` needs the package `fast-check`, which is not installed.',
    why: 'It is an optional peer: only programs that draw queries use it. `npm install --save-dev fast-check` installs it.',
  }),
})
