import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Going to production","description":"","frontmatter":{},"headers":[],"relativePath":"production.md","filePath":"production.md"}');
const _sfc_main = { name: "production.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="going-to-production" tabindex="-1">Going to production <a class="header-anchor" href="#going-to-production" aria-label="Permalink to &quot;Going to production&quot;">​</a></h1><p>What to do before people depend on it. Each line leads to the page that says how.</p><ul><li><strong>Install it on Kubernetes</strong>, with NATS, Redis and Postgres of your own: <a href="./install">install</a>. On one server, Compose.</li><li><strong>Serve it over TLS</strong>, and name the proxies in front of it: <a href="./secure">secure</a>.</li><li><strong>Let media through</strong>: open UDP, a load balancer for each replica, or a TURN server: <a href="./install#media">media</a>. Where UDP is blocked, clients use <code>transport: &#39;websocket&#39;</code>.</li><li><strong>Mint tokens on your backend</strong>, for people whom you know, and set limits for each workspace: <a href="./credit">credit</a>.</li><li><strong>Count on several replicas</strong>, sized by what a core does: <a href="./scale">scale</a>, and <a href="./capacity">capacity</a> for what happens when all are full.</li><li><strong>Choose voices, recognizers and models</strong> that fit your machines: <a href="./engines">engines</a>, <a href="./speech-models">speech models</a>, <a href="./recognition">recognition</a>, <a href="./language-models">language models</a>.</li><li><strong>Decide what is kept</strong>: transcripts, <a href="./recordings">recordings</a>, <a href="./memory">memory</a>.</li><li><strong>Test your Agents</strong> before each publication: <a href="./agent-tests">tests of Agents</a>.</li><li><strong>Back it up</strong>, and try to restore it: <a href="./backup">backup</a>.</li><li><strong>Watch it</strong>: the chart has alerts and dashboards, and <a href="./run-books">run-books</a> say what to do. <code>npx parlance doctor</code> names <a href="./doctor">what is wrong</a>.</li><li><strong>Know how to go back</strong>: <a href="./upgrade">upgrades</a>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("production.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const production = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  production as default
};
