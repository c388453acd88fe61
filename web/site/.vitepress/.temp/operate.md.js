import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Operate it by commands","description":"","frontmatter":{},"headers":[],"relativePath":"operate.md","filePath":"operate.md"}');
const _sfc_main = { name: "operate.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="operate-it-by-commands" tabindex="-1">Operate it by commands <a class="header-anchor" href="#operate-it-by-commands" aria-label="Permalink to &quot;Operate it by commands&quot;">​</a></h1><p><code>npx parlance</code> works on the services behind <code>NATS_URL</code> when that is set. Otherwise it works on the <code>npm start</code> that runs in this folder, or on the data in <code>.parlance/</code> when none runs. <a href="./command-line">All commands</a> with their options are on a page of their own.</p><div class="language-sh"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki css-variables vp-code" tabindex="0"><code><span class="line"><span class="code-comment"># Create a workspace with credit and a key. The key is printed once.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> create</span><span class="code-string"> Acme</span><span class="code-string"> --credit</span><span class="code-constant"> 100</span><span class="code-string"> --key</span><span class="code-string"> First</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> list</span></span>
<span class="line"><span class="code-foreground">WORKSPACE</span><span class="code-keyword">=</span><span class="code-foreground">$(</span><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> list</span><span class="code-string"> --json</span><span class="code-keyword"> |</span><span class="code-function"> node</span><span class="code-string"> -p</span><span class="code-string-expression"> &quot;JSON.parse(fs.readFileSync(0)).workspaces.at(-1).id&quot;</span><span class="code-foreground">)</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment"># Grant credit, once for each reference, and show what it was used for.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> credit</span><span class="code-string"> grant</span><span class="code-foreground"> $WORKSPACE </span><span class="code-constant">50</span><span class="code-string"> --reference</span><span class="code-string"> invoice-17</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> credit</span><span class="code-string"> usage</span><span class="code-foreground"> $WORKSPACE </span><span class="code-string">--group-by</span><span class="code-string"> api_key</span></span>
<span class="line"></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> key</span><span class="code-string"> create</span><span class="code-foreground"> $WORKSPACE </span><span class="code-string">--label</span><span class="code-string-expression"> &quot;Web site&quot;</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> key</span><span class="code-string"> list</span><span class="code-foreground"> $WORKSPACE</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment"># The people of a workspace: Owners, Admins and Members. The commands print links that work once.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> user</span><span class="code-string"> add</span><span class="code-foreground"> $WORKSPACE </span><span class="code-string">ada@example.com</span><span class="code-string"> --role</span><span class="code-string"> owner</span><span class="code-string"> --name</span><span class="code-string"> Ada</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> user</span><span class="code-string"> sign-in-link</span><span class="code-string"> ada@example.com</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> user</span><span class="code-string"> invite</span><span class="code-foreground"> $WORKSPACE </span><span class="code-string">bob@example.com</span><span class="code-string"> --role</span><span class="code-string"> admin</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> user</span><span class="code-string"> list</span><span class="code-foreground"> $WORKSPACE</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment"># Operators see all workspaces in the dashboard, and grant credit there.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> user</span><span class="code-string"> operator</span><span class="code-string"> ada@example.com</span></span>
<span class="line"></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> suspend</span><span class="code-foreground"> $WORKSPACE</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> resume</span><span class="code-foreground"> $WORKSPACE</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment"># How many conversations and streams a workspace may have at once: 20 and 50 unless set, 0 for no limit.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> limits</span><span class="code-foreground"> $WORKSPACE </span><span class="code-string">--max-sessions</span><span class="code-constant"> 100</span><span class="code-string"> --max-streams</span><span class="code-constant"> 0</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment"># Check that all credit adds up. The exit code is 2 when it does not.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> reconcile</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment"># Delete a suspended workspace with its keys, members and invitations.</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> suspend</span><span class="code-foreground"> $WORKSPACE</span></span>
<span class="line"><span class="code-function">npx</span><span class="code-string"> parlance</span><span class="code-string"> workspace</span><span class="code-string"> delete</span><span class="code-foreground"> $WORKSPACE</span></span></code></pre></div><p><code>--json</code> prints one JSON value for scripts. <code>--help</code> after any command shows its options.</p><p><code>npx parlance setup</code> and <code>npx parlance models</code> get voices, recognizers and other models: <a href="./start">start</a>. <code>npx parlance doctor</code> names <a href="./doctor">what is wrong</a> with an installation.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("operate.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const operate = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  operate as default
};
