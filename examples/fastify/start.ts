import { createService } from './service.ts'

const address = await createService().listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
console.log(`The service listens on ${address}. Try: curl '${address}/acme/search?query=level:error'`)
