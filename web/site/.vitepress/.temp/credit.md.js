import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const _imports_0 = "/docs/assets/credit.DXX4C2Xu.svg";
const __pageData = JSON.parse('{"title":"Credit","description":"","frontmatter":{},"headers":[],"relativePath":"credit.md","filePath":"credit.md"}');
const _sfc_main = { name: "credit.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="credit" tabindex="-1">Credit <a class="header-anchor" href="#credit" aria-label="Permalink to &quot;Credit&quot;">​</a></h1><p>Every workspace has a balance. Work is reserved before it begins and charged after it, so that a workspace never uses more than it has.</p><p><img${ssrRenderAttr("src", _imports_0)} alt="Credit is granted, reserved before work, and charged after it"></p><ul><li><strong>Operators grant it</strong>: <code>npx parlance credit grant</code>, or the dashboard. A grant has a reference, and the same reference counts once.</li><li><strong>What is charged</strong> is what was delivered: characters that were spoken, minutes of a conversation, minutes that were transcribed. Of a reply that was interrupted, only what was played.</li><li><strong>A conversation reserves half a minute ahead.</strong> Without credit it gets an event, and has 5 s to end. A new request gets 402 <code>insufficient_credit</code>.</li><li><strong>A process that dies</strong> loses nothing: its reservation returns after <code>CREDIT_HOLD_SECONDS</code>.</li><li><code>GET /v1/credit</code> has the balance and what is reserved, <code>GET /v1/usage</code> what was used, by day, Agent, key or kind.</li><li><a href="./webhooks">Webhooks</a> send <code>credit.low</code> and <code>credit.exhausted</code>.</li></ul><p>Prices are yours: voices in the <a href="./engines">engines file</a>, minutes in <code>SESSION_CREDIT_PER_MINUTE</code> and <code>TRANSCRIPTION_CREDIT_PER_MINUTE</code> (<a href="./configuration">variables</a>). <code>npx parlance reconcile</code> checks that all of it adds up.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("credit.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const credit = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  credit as default
};
