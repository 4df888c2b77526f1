import ts from 'typescript5'

/** A program that differs from ours in one place. */
export interface Mutant {
  file: string
  /** Of the text that is replaced. */
  start: number
  end: number
  line: number
  before: string
  after: string
}

type Place = Pick<Mutant, 'start' | 'end' | 'after'>

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
}
/** Of SQL, as a string of its own or between spaces of a template. */
const IN_SQL: Record<string, string> = {
  '=': '<>',
  '<>': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  and: 'or',
  or: 'and',
  asc: 'desc',
  desc: 'asc',
  exists: 'not exists',
  in: 'not in',
  'is null': 'is not null',
  'is not null': 'is null',
}
const SQL_WORD = /(?<=^|[\s(])(?:is not null|is null|<=|>=|<>|=|<|>|and|or|asc|desc|exists|in)(?=$|[\s(])/g

/** Every mutant of a source: operators, bounds and conditions, of the program and of its SQL. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    for (const place of placesOf(node, text)) {
      const line = source.getLineAndCharacterOfPosition(place.start).line + 1
      mutants.push({ ...place, file, line, before: text.slice(place.start, place.end) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutants
}

function placesOf(node: ts.Node, text: string): Place[] {
  const whole = (after: string): Place => ({ start: node.getStart(), end: node.end, after })
  if (ts.isBinaryExpression(node)) return ofOperator(node.operatorToken)
  if (ts.isIfStatement(node)) return ofCondition(node.expression)
  if (ts.isConditionalExpression(node)) return ofCondition(node.condition)
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [whole(node.operand.getText())]
  if (ts.isNumericLiteral(node)) return [whole(String(Number(node.text.replaceAll('_', '')) + 1))]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [whole('false')]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [whole('true')]
  if (ts.isStringLiteral(node)) return node.text in IN_SQL ? [whole(`'${IN_SQL[node.text]}'`)] : []
  if (isPartOfSql(node)) return ofSql(node.pos, text.slice(node.pos, node.end))
  return []
}

function ofOperator(token: ts.BinaryOperatorToken): Place[] {
  const after = OPERATORS[token.getText()]
  return after ? [{ start: token.getStart(), end: token.end, after }] : []
}

const ofCondition = (condition: ts.Expression): Place[] =>
  ['true', 'false'].map((after) => ({ start: condition.getStart(), end: condition.end, after }))

/** A text between the values of a template whose tag is `sql`. */
function isPartOfSql(node: ts.Node): boolean {
  if (!ts.isTemplateLiteralToken(node)) return false
  const tagged = ts.findAncestor(node, ts.isTaggedTemplateExpression)
  return tagged !== undefined && /^sql\b/.test(tagged.tag.getText())
}

const ofSql = (start: number, part: string): Place[] =>
  [...part.matchAll(SQL_WORD)].map(({ 0: word, index }) => ({
    start: start + index,
    end: start + index + word.length,
    after: IN_SQL[word]!,
  }))
