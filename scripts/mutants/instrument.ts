import ts from 'typescript5'

/** A program that differs from ours in one place. */
export interface Mutant {
  id: number
  file: string
  line: number
  /** Of the source, without what indents it. */
  text: string
  before: string
  after: string
}

/** A source with all its mutants in it: `is(id)` says which of them is the program now. */
export interface Instrumented {
  mutants: Mutant[]
  code: string
}

interface Alternative {
  node: ts.Expression
  start: number
  before: string
  after: string
}

const { factory, SyntaxKind } = ts

const OPERATORS = new Map<ts.SyntaxKind, ts.BinaryOperator>([
  [SyntaxKind.LessThanToken, SyntaxKind.LessThanEqualsToken],
  [SyntaxKind.LessThanEqualsToken, SyntaxKind.LessThanToken],
  [SyntaxKind.GreaterThanToken, SyntaxKind.GreaterThanEqualsToken],
  [SyntaxKind.GreaterThanEqualsToken, SyntaxKind.GreaterThanToken],
  [SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken],
  [SyntaxKind.ExclamationEqualsEqualsToken, SyntaxKind.EqualsEqualsEqualsToken],
  [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken],
  [SyntaxKind.BarBarToken, SyntaxKind.AmpersandAmpersandToken],
  [SyntaxKind.PlusToken, SyntaxKind.MinusToken],
  [SyntaxKind.MinusToken, SyntaxKind.PlusToken],
  [SyntaxKind.AsteriskToken, SyntaxKind.SlashToken],
])
/** Of SQL, as a string of its own or between spaces of a template. */
const IN_SQL: Readonly<Record<string, string>> = {
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

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  removeComments: true,
}

/** Every mutant of a source, operators, bounds and conditions of the program and of its SQL, numbered from `first`. */
export function instrument(file: string, text: string, first: number): Instrumented {
  const mutants: Mutant[] = []
  const lines = text.split('\n')
  const { outputText } = ts.transpileModule(text, {
    fileName: file,
    compilerOptions: OPTIONS,
    transformers: {
      before: [
        (context) => (source) => {
          const wrapping = new Wrapping(source, context, (alternative) => {
            const line = source.getLineAndCharacterOfPosition(alternative.start).line + 1
            const { before, after } = alternative
            const id = first + mutants.length
            mutants.push({ id, file, line, text: lines[line - 1]!.trim(), before, after })
            return id
          })
          return ts.visitEachChild(source, wrapping.visit, context)
        },
      ],
    },
  })
  return { mutants, code: `const mutantIs = globalThis.mutants.is;${outputText}` }
}

/** Puts `is(id) ? changed : as it was` in the place of what can be changed; inside what is changed all else stays. */
class Wrapping {
  private readonly source: ts.SourceFile
  private readonly context: ts.TransformationContext
  private readonly number: (alternative: Alternative) => number
  /** Names are no values. */
  private readonly names = new WeakSet<ts.Node>()

  constructor(
    source: ts.SourceFile,
    context: ts.TransformationContext,
    number: (alternative: Alternative) => number,
  ) {
    this.source = source
    this.context = context
    this.number = number
  }

  readonly visit = (node: ts.Node): ts.Node => {
    if (ts.isTypeNode(node) || isDeclarationAlone(node) || this.names.has(node)) return node
    if ('name' in node && node.name && !ts.isBindingName(node.name as ts.Node))
      this.names.add(node.name as ts.Node)
    if (ts.isIfStatement(node))
      return factory.updateIfStatement(
        node,
        this.condition(node.expression),
        this.visit(node.thenStatement) as ts.Statement,
        node.elseStatement && (this.visit(node.elseStatement) as ts.Statement),
      )
    if (ts.isConditionalExpression(node))
      return factory.updateConditionalExpression(
        node,
        this.condition(node.condition),
        node.questionToken,
        this.visit(node.whenTrue) as ts.Expression,
        node.colonToken,
        this.visit(node.whenFalse) as ts.Expression,
      )
    return this.wrapped(node, this.alternativesOf(node))
  }

  private condition(node: ts.Expression): ts.Expression {
    const constant = (value: boolean): Alternative => ({
      node: value ? factory.createTrue() : factory.createFalse(),
      start: node.getStart(this.source),
      before: node.getText(this.source),
      after: String(value),
    })
    return this.wrapped(node, [
      constant(true),
      constant(false),
      ...this.alternativesOf(node),
    ]) as ts.Expression
  }

  private wrapped(node: ts.Node, alternatives: readonly Alternative[]): ts.Node {
    const numbered = alternatives.map((each) => ({ ...each, id: this.number(each) }))
    const inside = ts.visitEachChild(node, this.visit, this.context)
    if (!numbered.length) return inside
    return factory.createParenthesizedExpression(
      numbered.reduceRight(
        (otherwise, each) =>
          factory.createConditionalExpression(is(each.id), undefined, each.node, undefined, otherwise),
        inside as ts.Expression,
      ),
    )
  }

  private alternativesOf(node: ts.Node): Alternative[] {
    const of = (changed: ts.Expression, after: string): Alternative[] => [
      { node: changed, start: node.getStart(this.source), before: node.getText(this.source), after },
    ]
    if (ts.isBinaryExpression(node)) return this.ofOperator(node)
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      return of(
        factory.createPrefixUnaryExpression(
          SyntaxKind.ExclamationToken,
          factory.createParenthesizedExpression(node),
        ),
        node.operand.getText(this.source),
      )
    if (ts.isNumericLiteral(node)) {
      const next = String(Number(node.text) + 1)
      return of(factory.createNumericLiteral(next), next)
    }
    if (node.kind === SyntaxKind.TrueKeyword) return of(factory.createFalse(), 'false')
    if (node.kind === SyntaxKind.FalseKeyword) return of(factory.createTrue(), 'true')
    if (ts.isStringLiteral(node)) {
      const other = Object.hasOwn(IN_SQL, node.text) && IN_SQL[node.text]
      return other ? of(factory.createStringLiteral(other), `'${other}'`) : []
    }
    return isSql(node) ? this.ofSql(node) : []
  }

  private ofOperator(node: ts.BinaryExpression): Alternative[] {
    const { left, operatorToken, right } = node
    const other = OPERATORS.get(operatorToken.kind)
    if (!other || (operatorToken.kind === SyntaxKind.PlusToken && [left, right].some(isText))) return []
    const after = ts.tokenToString(other)!
    const changed = factory.createBinaryExpression(inParentheses(left), other, inParentheses(right))
    const text = (each: ts.Expression) => each.getText(this.source)
    return [
      {
        node: changed,
        start: operatorToken.getStart(this.source),
        before: node.getText(this.source),
        after: `${text(left)} ${after} ${text(right)}`,
      },
    ]
  }

  /** One word of the texts between the values at a time. */
  private ofSql(node: ts.TaggedTemplateExpression): Alternative[] {
    const { template } = node
    const parts = ts.isNoSubstitutionTemplateLiteral(template)
      ? [template]
      : [template.head, ...template.templateSpans.map(({ literal }) => literal)]
    return parts.flatMap((part, i) =>
      [...part.text.matchAll(SQL_WORD)].map(({ 0: word, index }) => {
        const other = IN_SQL[word]!
        const changed = part.text.slice(0, index) + other + part.text.slice(index + word.length)
        return {
          node: factory.createTaggedTemplateExpression(node.tag, undefined, withPart(template, i, changed)),
          start: part.getStart(this.source),
          before: part.text.trim(),
          after: changed.trim(),
        }
      }),
    )
  }
}

const is = (id: number): ts.Expression =>
  factory.createCallExpression(factory.createIdentifier('mutantIs'), undefined, [
    factory.createNumericLiteral(id),
  ])

const inParentheses = (node: ts.Expression): ts.Expression => factory.createParenthesizedExpression(node)

const isDeclarationAlone = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node)

/** What `+` joins, and does not add. */
const isText = (node: ts.Expression): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

const isSql = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql'

function withPart(template: ts.TemplateLiteral, part: number, text: string): ts.TemplateLiteral {
  if (ts.isNoSubstitutionTemplateLiteral(template))
    return factory.createNoSubstitutionTemplateLiteral(text, text)
  const { head, templateSpans } = template
  const last = templateSpans.length
  return factory.createTemplateExpression(
    part === 0 ? factory.createTemplateHead(text, text) : head,
    templateSpans.map(({ expression, literal }, i) => {
      if (part !== i + 1) return factory.createTemplateSpan(expression, literal)
      const changed =
        part === last ? factory.createTemplateTail(text, text) : factory.createTemplateMiddle(text, text)
      return factory.createTemplateSpan(expression, changed)
    }),
  )
}
