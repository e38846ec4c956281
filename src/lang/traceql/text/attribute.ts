import type { ScanFault } from '../../go-scanner/index.ts'
import type { AttributeScope } from '../ast.ts'

/** The parts of an attribute token. */
export interface ScannedAttribute {
  readonly isOfParent: boolean
  readonly scope: AttributeScope
  readonly name: string
}

const SCOPE = /^(?:(parent\.)(?:(span|resource)\.)?|(span|resource|event|link|instrumentation)\.|\.)/

/** Matches a quoted part of a name. Only the last part may lack its closing quote. */
const QUOTED = /"((?:[^"\\]|\\[^])*)"?/g

/** Splits an attribute token into its scope and its unquoted name. */
export function readAttribute(image: string): ScannedAttribute {
  const [prefix = '', parent, inner, scope] = SCOPE.exec(image) ?? []
  const name = image.slice(prefix.length).replaceAll(QUOTED, (_, text: string) => text.replaceAll(/\\([^])/g, '$1'))
  return { isOfParent: parent !== undefined, scope: (inner ?? scope ?? 'none') as AttributeScope, name }
}

/** Returns the scope of an attribute as written, with its dots. */
export function scopeText(image: string): string {
  return SCOPE.exec(image)?.[0] ?? ''
}

/** Returns the fault of an attribute token, in Tempo's wording if Tempo reports it. */
export function attributeFault(image: string): ScanFault<'attribute'> | undefined {
  const isOpen = image.replaceAll(/"(?:[^"\\]|\\[^])*"/g, '').includes('"')
  if (isOpen) return { kind: 'attribute', message: 'unexpected EOF, expecting "' }
  if (readAttribute(image).name !== '') return undefined
  return { kind: 'attribute', message: 'syntax error: unexpected END_ATTRIBUTE, expecting IDENTIFIER' }
}

/** Formats a name so that it parses to the same name: in quotes if it contains a character that would end it. */
export function printName(name: string): string {
  if (/^[^\p{White_Space}{}()=~!<>&|^,"]+$/u.test(name)) return name
  return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
