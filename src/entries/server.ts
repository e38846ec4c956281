/** `sluice/server`: the HTTP interface, over whatever services it is given. */
export * from '../server/index.ts'
