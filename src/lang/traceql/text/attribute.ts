import type { ScanFault } from '../../go-scanner/index.ts'
import type { AttributeScope } from '../ast.ts'

/** An attribute as it is written. */
export interface AttributeReading {
  readonly isOfParent: boolean
  readonly scope: AttributeScope
  readonly name: string
}

const SCOPE = /^(?:(parent\.)(?:(span|resource)\.)?|(span|resource|event|link|instrumentation)\.|\.)/

/** A part of a name in quotes; only the last one of a text may lack the end. */
const QUOTED = /"((?:[^"\\]|\\[^])*)"?/g

/** Reads the token of an attribute: its scope, and its name without quotes. */
export function readAttribute(image: string): AttributeReading {
  const [prefix = '', parent, inner, scope] = SCOPE.exec(image) ?? []
  const name = image.slice(prefix.length).replaceAll(QUOTED, (_, text: string) => text.replaceAll(/\\([^])/g, '$1'))
  return { isOfParent: parent !== undefined, scope: (inner ?? scope ?? 'none') as AttributeScope, name }
}

/** Returns the scope of an attribute as written, with its dots. */
export function scopeText(image: string): string {
  return SCOPE.exec(image)?.[0] ?? ''
}

/** Says what is wrong with the token of an attribute, in the reference's words where it has some. */
export function attributeFault(image: string): ScanFault<'attribute'> | undefined {
  const isOpen = image.replaceAll(/"(?:[^"\\]|\\[^])*"/g, '').includes('"')
  if (isOpen) return { kind: 'attribute', message: 'unexpected EOF, expecting "' }
  if (readAttribute(image).name !== '') return undefined
  return { kind: 'attribute', message: 'syntax error: unexpected END_ATTRIBUTE, expecting IDENTIFIER' }
}

/** Writes a name so that it reads back: in quotes if a character would end it. */
export function printName(name: string): string {
  if (/^[^\p{White_Space}{}()=~!<>&|^,"]+$/u.test(name)) return name
  return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
