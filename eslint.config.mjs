// The rules here are errors from the first day: each one keeps a habit of the
// house that a review would otherwise have to remember.
import tseslint from 'typescript-eslint';

const everywhere = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Only platform/config reads the environment; take a Config.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take the time from a Clock.',
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Take the time from a Clock.',
  },
  {
    selector: "CallExpression[callee.name='forwardRef']",
    message: 'A cycle of modules: turn one arrow round.',
  },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name: a thing has one name everywhere.' },
  {
    selector: ":matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind='let']",
    message: 'Keep state in a provider: the spec files of a worker share the modules.',
  },
];

/** Each element would be an argument: a list of some 100,000 is a RangeError. */
const spreads = [
  {
    selector:
      'CallExpression[callee.property.name=/^(max|min|hypot|push|unshift|splice|concat|fromCharCode|fromCodePoint)$/] > SpreadElement',
    message: 'The list may be long: use greatest, least or append of kernel/long-lists, or a loop.',
  },
  {
    selector:
      "CallExpression[callee.property.name='apply'][callee.object.type!='ThisExpression'][arguments.length=2]",
    message: 'The list of arguments may be long: call the function with its arguments.',
  },
];

const outsideHttp = [
  {
    selector: "Identifier[name='HttpException']",
    message: 'Throw a DomainError; platform/http decides about statuses.',
  },
];

/** The house's rules, with those left out that a file is the one exception to. */
const housing = (...allowed) => [
  'error',
  ...[...everywhere, ...spreads, ...outsideHttp].filter(
    (rule) => !allowed.some((word) => rule.selector.includes(word)),
  ),
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      'data/',
      'bin/',
      '**/*.mjs',
      '**/*.cjs',
      'test/architecture/planted/',
      'clients/typescript/dist/',
      'clients/typescript/src/schema.ts',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.spec.json',
          './console/tsconfig.json',
          './widget/tsconfig.json',
          './clients/typescript/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'no-control-regex': 'off',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': housing(),
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'It is wrong in Node 20: use parsedUrl of the kernel.',
        },
      ],
    },
  },
  {
    files: ['src/platform/config/{config,service-access}.ts'],
    rules: { 'no-restricted-syntax': housing('process') },
  },
  { files: ['src/platform/time/system-clock.ts'], rules: { 'no-restricted-syntax': housing('Date') } },
  { files: ['src/platform/http/**/*.ts'], rules: { 'no-restricted-syntax': housing('HttpException') } },
  {
    files: ['src/**/*.spec.ts'],
    rules: { 'no-restricted-syntax': housing('HttpException', 'let', 'Spread', 'apply') },
  },
  { files: ['widget/**/*.ts', 'clients/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...spreads] } },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'waitForFunction',
          message: 'The policy of the console forbids it: use untilTrue, or a locator.',
        },
      ],
    },
  },
  {
    files: ['console/src/**/*.{ts,tsx}'],
    rules: {
      // An event handler of React may be an async function: it handles its own errors.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'no-restricted-syntax': [
        'error',
        ...spreads,
        { selector: 'ExportDefaultDeclaration', message: 'Export by name: a thing has one name everywhere.' },
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Text from outside is shown as text.',
        },
      ],
    },
  },
  {
    files: ['src/**/index.ts'],
    rules: { 'no-restricted-syntax': ['error', { selector: 'Program', message: 'No barrels.' }] },
  },
);
