import { describe, expect, it } from 'vitest'
import { canonicalJson } from '#src/json/canonical-json.ts'

/** RFC 8785, 3.2.2, 3.2.3, and of Appendix B what JSON text can say: bits of a double, and its form. */
const NUMBERS: [bits: string, form: string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

describe('canonicalJson', () => {
  for (const [bits, form] of NUMBERS)
    it(`writes the number ${bits} as ${form}`, () => {
      expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(form)
    })

  it('writes literals, numbers and escapes as 3.2.2 has them', () => {
    const given =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
    expect(canonicalJson(JSON.parse(given))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('orders names as 3.2.3 has them: by UTF-16 code units, numbers too', () => {
    const names = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7, '10': 8, '9': 9 }
    expect(Object.keys(JSON.parse(canonicalJson(names))).toSorted()).toEqual(Object.keys(names).toSorted())
    expect(canonicalJson(names)).toBe('{"\\r":2,"1":4,"10":8,"9":9,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}')
  })

  it('orders what is nested, and leaves arrays as they are', () => {
    expect(canonicalJson({ b: [{ d: 1, c: [] }, 'a'], a: {} })).toBe('{"a":{},"b":[{"c":[],"d":1},"a"]}')
  })

  it('leaves out what JSON.stringify leaves out', () => {
    expect(canonicalJson({ a: undefined, b: 1, c: undefined })).toBe('{"b":1}')
  })
})
