import { MIB, defineDiagnostics } from '../../base/index.ts'

/** Errors that prevent the start of a server. */
export const setupDiagnostic = defineDiagnostics('setup', {
  'no-key-file': (d: { path: string; reason: string }) => ({
    message: `The key file ${d.path} cannot be read: ${d.reason}`,
  }),
  'key-check': (d: { index: number }) => ({
    message: `The key at position ${d.index} of the key file does not match its checksum.`,
    why: [
      'The file was edited by hand or the disk failed: the key could be let in as someone else, or to more.',
      '`sluice repair --keys FILE` says which keys can be kept; `sluice keys add` makes a new one.',
    ],
  }),
  'key-layout': (_: Record<never, never>) => ({
    message: 'The key file is not as it was written.',
    why: 'Its keys match their checksums; something around them was changed. `sluice repair --keys FILE` writes it anew.',
  }),
  'no-data-folder': (d: { folder: string; reason: string }) => ({
    message: `The folder ${d.folder} cannot be used: ${d.reason}`,
  }),
  'no-such-backend': (d: { backend: string; known: readonly string[] }) => ({
    message: `The folder has nothing of the backend \`${d.backend}\`.`,
    why: `It has data of ${d.known.map((id) => `\`${id}\``).join(', ')}; \`--backend-id\` chooses one.`,
  }),
  'empty-key': (d: { index: number }) => ({
    message: `The key at position ${d.index} of \`keys\` is empty.`,
    why: 'A key is a text that is not blank, or an object with such a text as `key`.',
  }),
  'key-user': (d: { index: number; reason: string }) => ({
    message: `The \`email\` of the key at position ${d.index} is no name of a user: ${d.reason}.`,
    why: 'Write the name as the policies have it, or leave it out for a key without policies.',
  }),
  'bad-origin': (d: { origin: string }) => ({
    message: `\`${d.origin}\` is no origin whose pages may read answers.`,
    why: d.origin.includes('*')
      ? '`*` would let every page of the web, or of a domain, use a key that it gets hold of; name each origin, such as `https://grafana.example.com`.'
      : 'An origin is a scheme, a host and a port that is not the usual one, such as `https://grafana.example.com`, without a path.',
  }),
  'not-shared': (_: Record<never, never>) => ({
    message: 'Only stores can be read by worker threads.',
    why: 'Leave `workers` out, put the rows of `tables` into a store, or give an `engine` with an `opener`, with which each thread opens its own.',
  }),
  memory: (d: { givenBytes: number; leastBytes: number; storeBytes: number | undefined }) => ({
    message: `The memory of the server, ${Math.floor(d.givenBytes / MIB)} MiB, is too little for one query worker.`,
    why: `${d.storeBytes === undefined ? 'It needs' : `With ${Math.ceil(d.storeBytes / MIB)} MiB for rows (\`--store-memory\`) it needs`} ${Math.ceil(d.leastBytes / MIB)} MiB at least: \`--memory ${Math.ceil(d.leastBytes / MIB)}MiB\`.`,
  }),
  'grpc-missing': (d: { version: string }) => ({
    message: 'OTLP over gRPC needs the package `@grpc/grpc-js`, which is not installed.',
    why: `\`npm install @grpc/grpc-js@${d.version}\` installs the release that is tested here. Over HTTP, OTLP needs nothing.`,
  }),
  syslog: (d: { at: string; reason: string; hint: string }) => ({
    message: `Syslog cannot be taken at ${d.at}: ${d.reason}.`,
    why: d.hint,
  }),
  forward: (d: { at: string; reason: string; hint: string }) => ({
    message: `The forward protocol cannot be taken at ${d.at}: ${d.reason}.`,
    why: d.hint,
  }),
  tls: (d: { path: string; reason: string }) => ({
    message: `The file ${d.path} cannot be used for TLS: ${d.reason}.`,
    why: 'TLS needs a certificate with its chain and its private key without a passphrase, both in PEM form.',
  }),
  'nothing-stored': (_: Record<never, never>) => ({
    message: 'There is no store to put anything into: what is served is only read.',
  }),
  'nothing-served': (_: Record<never, never>) => ({
    message: 'There is nothing to serve.',
    why: 'Searches read tables named `logs`, `events`, `spans`, `clusters` and `workloads`; metric queries read `samples`. In a catalog the name of a table is its line below `tables:`; one with another name in its database is written `logs: { table: requests, … }`.',
  }),
})
