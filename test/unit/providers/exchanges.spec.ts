// What is kept of a request to a provider: its path without anything that names a payment or a person.
import assert from 'node:assert/strict';
import { templateOf } from '../../../providers/common/http.js';

describe('requests to providers', () => {
  it('a path keeps its words and loses keys, documents, ids and queries', () => {
    for (const [path, template] of [
      ['/v2/cob/1f0c2b3a4958677869504132231405aa', '/v2/cob/{…}'],
      ['/v2/gn/pix/enviados/id-envio/7D1F?cpf=52998224725', '/v2/gn/pix/enviados/id-envio/{…}'],
      ['/dict/maria%40example.test', '/dict/{…}'],
      ['/dict/maria@example.test', '/dict/{…}'],
      ['/dict/+5511999999999', '/dict/{…}'],
      ['/dict/52998224725', '/dict/{…}'],
      ['/api/v1/charge/ABC', '/api/v1/charge/{…}'],
      ['/pix/E99999999202611280529m7iVIIequBE/devolucao/D1', '/pix/{…}/devolucao/{…}'],
    ] as const)
      assert.equal(templateOf(path), template);
  });
});
