/** What a program sends when it connects, with the place where that is written. Values that identify nobody. */
export interface RecordedClient {
  name: string;
  source: string;
  /** The body of `POST /oauth/register`. */
  registration: Record<string, unknown>;
  /** Where it has the browser sent to. */
  redirect: string;
  /** Beside those of every client. */
  authorization?: Record<string, string>;
}

export const RECORDED_CLIENTS: readonly RecordedClient[] = [
  {
    name: 'VS Code',
    source: 'microsoft/vscode, src/vs/base/common/oauth.ts (fetchDynamicRegistration)',
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://localhost:33418/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'verify lists usage',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirect: 'http://127.0.0.1:51023/',
  },
  {
    name: 'Cursor',
    source: 'erp-mafia/accounted#2225 and elie222/inbox-zero#3780 on GitHub: three addresses, type web',
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    },
    redirect: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  {
    name: 'Claude',
    source: 'anthropics/claude-ai-mcp#1043 (client_secret_post) and #124 (scope claudeai) on GitHub',
    registration: {
      client_name: 'Claude',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'claudeai',
    },
    redirect: 'https://claude.ai/api/mcp/auth_callback',
    authorization: { scope: 'claudeai' },
  },
  {
    name: 'Claude Code',
    source: 'elmohq/elmo#684 on GitHub: logged registrations',
    registration: {
      client_name: 'Claude Code (rcpt)',
      redirect_uris: ['http://localhost:3118/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirect: 'http://localhost:3118/callback',
  },
  {
    name: 'Codex',
    source: 'elmohq/elmo#684 on GitHub: logged registrations',
    registration: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:37819/callback/rcpt'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirect: 'http://127.0.0.1:40001/callback/rcpt',
  },
  {
    name: 'OpenCode',
    source: 'elmohq/elmo#684 on GitHub: no type, a loopback address only',
    registration: {
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirect: 'http://127.0.0.1:19876/mcp/oauth/callback',
  },
  {
    name: 'ChatGPT',
    source: 'danielealbano/android-remote-control-mcp#166 on GitHub: its callbacks, and offline_access',
    registration: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    redirect: 'https://chatgpt.com/connector_platform_oauth_redirect',
    authorization: { scope: 'verify lists usage offline_access', nonce: 'a-nonce', audience: 'rcpt' },
  },
];

/** Metadata documents, with the place where they are written. `ID` is the URL of the document. */
export const RECORDED_DOCUMENTS: readonly { name: string; source: string; document: object }[] = [
  {
    name: 'ChatGPT',
    source: 'Altinity/altinity-mcp#118 and gamedevpl/www.gamedev.pl#641 on GitHub',
    document: {
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector/oauth/ID'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'ChatGPT',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    name: 'OpenCode',
    source: 'anomalyco/opencode#47737 on GitHub',
    document: {
      client_name: 'opencode',
      client_uri: 'https://opencode.ai',
      logo_uri: 'https://opencode.ai/web-app-manifest-512x512.png',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      token_endpoint_auth_methods_supported: ['none'],
    },
  },
  {
    name: 'Claude Code',
    source: 'anthropics/claude-code#37747 on GitHub: no type, loopback addresses without a port',
    document: {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
];
