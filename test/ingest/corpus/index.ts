import { cloud } from './cloud.ts'
import type { CorpusCase } from './corpus.ts'
import { databases } from './databases.ts'
import { devices } from './devices.ts'
import { dotnet } from './dotnet.ts'
import { exports } from './exports.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { neighbours } from './neighbours.ts'
import { node } from './node.ts'
import { python } from './python.ts'
import { rubyAndPhp } from './ruby-php.ts'
import { shippers } from './shippers.ts'
import { system } from './system.ts'
import { web } from './web.ts'

/** Records of well-known programs with the expected stored values. */
export const corpus: Readonly<Record<string, readonly CorpusCase[]>> = {
  'Node.js': node,
  Go: go,
  Java: java,
  '.NET': dotnet,
  Python: python,
  'Ruby and PHP': rubyAndPhp,
  'containers and shippers': shippers,
  cloud,
  'web servers and proxies': web,
  databases,
  'system and others': system,
  'devices, histories and audits': devices,
  'exports of searches': exports,
  neighbours,
}
